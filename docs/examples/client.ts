// A bot's three questions by a client that is made of the API's description: every path, parameter and field is checked by tsc.
//
//   npm install openapi-fetch openapi-typescript typescript @types/node
//   npx openapi-typescript http://127.0.0.1:8000/openapi.json -o rulestone.d.ts
//   npx tsc --strict --target es2022 --module nodenext --outDir out client.ts
//   node out/client.js http://127.0.0.1:8000 "order of cards in the graveyard"
import createClient from "openapi-fetch";
import type { components, paths } from "./rulestone.js";

type Json = "application/json" | "application/problem+json";
type Claim = components["schemas"]["BriefClaim"];
type Line = components["schemas"]["RuleRecord"] | components["schemas"]["Ruling"];
type Client = ReturnType<typeof createClient<paths, Json>>;

export const clientOf = (baseUrl: string, key?: string): Client =>
  createClient<paths, Json>({ baseUrl, headers: key ? { Authorization: `Bearer ${key}` } : {} });

/** The claims that answer a question, each words of a rule at its place; or why none is made. */
export async function ask(client: Client, q: string, game?: string): Promise<Claim[] | string> {
  const { data, error } = await client.GET("/v1/answers", { params: { query: { q, game, view: "brief" } } });
  if (error) throw new Error(error.detail);
  return data.abstained ? (data.reason ?? "") : data.claims;
}

/** A text as it may be shown: without the sentences whose citations do not hold. */
export async function gate(client: Client, text: string, game: string): Promise<string> {
  const { data, error } = await client.POST("/v1/verify", { body: { text, game, strict: true } });
  if (error) throw new Error(error.detail);
  return data.gate?.kept ?? "";
}

export type Copy = { tag: string; lines: Map<string, Line> };

/** Every rule and ruling by its address; the copy that is there already while the server has nothing new. */
export async function copyOf(client: Client, had?: Copy): Promise<Copy> {
  const header = had ? { "If-None-Match": had.tag } : {};
  const { data, error, response } = await client.GET("/v1/export", { params: { header }, parseAs: "stream" });
  if (had && response.status === 304) return had;
  if (error) throw new Error(error.detail);
  const copy: Copy = { tag: response.headers.get("etag") ?? "", lines: new Map() };
  for await (const line of lines(data as ReadableStream<Uint8Array>)) copy.lines.set(line.iri, line);
  return copy;
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    const whole = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) yield JSON.parse(line) as Line;
  }
}

if (process.argv[1]?.endsWith("client.js")) {
  const [server = "http://127.0.0.1:8000", question = "order of cards in the graveyard"] = process.argv.slice(2);
  const client = clientOf(server);
  const said = await ask(client, question);
  console.log(typeof said === "string" ? said : said.map((claim) => `${claim.ref}: ${claim.text}`).join("\n"));
}
