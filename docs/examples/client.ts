// A bot's three questions by a client that is made of the API's description: every path, parameter and field is checked by tsc.
//
//   npm install openapi-fetch openapi-typescript typescript @types/node
//   npx openapi-typescript http://127.0.0.1:8000/openapi.json -o rulestone.d.ts
//   npx tsc --strict --target es2022 --module nodenext --outDir out client.ts
//   node out/client.js http://127.0.0.1:8000 "order of cards in the graveyard"
import createClient from "openapi-fetch";
import type { components, paths } from "./rulestone.js";

type Json = "application/json" | "application/problem+json";
type Claim = components["schemas"]["answer_claim"];
type Delta = components["schemas"]["delta_line"] | components["schemas"]["delta_end"];
type Client = ReturnType<typeof createClient<paths, Json>>;

export const clientOf = (baseUrl: string, key?: string): Client =>
  createClient<paths, Json>({ baseUrl, headers: key ? { Authorization: `Bearer ${key}` } : {} });

/** The claims that answer a question, each words of a rule at its place; or why none is made. */
export async function ask(client: Client, q: string, game?: string): Promise<Claim[] | string> {
  const { data, error } = await client.GET("/v1/answers", { params: { query: { q, game } } });
  if (error) throw new Error(error.detail);
  return data.abstained ? (data.reason ?? "") : data.claims;
}

/** A text as it may be shown: without the sentences whose citations do not hold. */
export async function gate(client: Client, text: string, game: string): Promise<string> {
  const { data, error } = await client.POST("/v1/verify", { body: { text, game, strict: true } });
  if (error) throw new Error(error.detail);
  return data.gate?.kept ?? "";
}

/** Brings a copy up to date, line by line as they come, and gives its new mark; "0" is that of an empty copy. */
export async function keepUp(client: Client, copy: Map<string, unknown>, since: string): Promise<string> {
  const { data, error } = await client.GET("/v1/export", { params: { query: { since } }, parseAs: "stream" });
  if (error) throw new Error(error.detail);
  for await (const one of lines(data as ReadableStream<Uint8Array>)) {
    if ("mark" in one) return one.mark;
    if (one.change === "removed") copy.delete(one.iri);
    else copy.set(one.iri, one.line);
  }
  throw new Error("the lines broke off; ask again with the same mark");
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<Delta> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    const whole = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) yield JSON.parse(line) as Delta;
  }
}

if (process.argv[1]?.endsWith("client.js")) {
  const [server = "http://127.0.0.1:8000", question = "order of cards in the graveyard"] = process.argv.slice(2);
  const client = clientOf(server);
  const said = await ask(client, question);
  console.log(typeof said === "string" ? said : said.map((claim) => `${claim.ref}: ${claim.text}`).join("\n"));
}
