// docs/examples/client.ts against a live server: node out/calls.js ADDRESS. Run by tests/client/run.
import assert from "node:assert/strict";
import { ask, clientOf, copyOf, gate } from "./client.js";

const client = clientOf(process.argv[2] ?? "");

const claims = await ask(client, "order of cards in the graveyard", "dm");
assert.ok(typeof claims !== "string" && claims.length > 0);
assert.ok(claims.every((claim) => claim.text && claim.ref.endsWith(claim.rule.split("/").at(-1)!)));
const reason = await ask(client, "pokemon prize cards");
assert.match(String(reason), /pokemon/);

assert.equal(await gate(client, "Geese win by rule 999.9z. Nothing else does.", "dm"), " Nothing else does.".trimStart());

const copy = await copyOf(client);
const { data: health } = await client.GET("/healthz");
assert.equal(copy.lines.size, health?.rules);
assert.equal(await copyOf(client, copy), copy);
assert.notEqual(await copyOf(client, { ...copy, tag: '"another"' }), copy);

const { data: rules, response } = await client.GET("/v1/rules", { params: { query: { ref: "dm:400.3b", lang: "ja" } } });
const [rule] = rules?.rules ?? [];
assert.ok(rule && "locator" in rule); // without view=brief, the whole rule
assert.deepEqual([rule.locator, rule.lang], ["400.3b", "ja"]);
const tag = response.headers.get("etag") ?? "";
const again = await client.GET("/v1/rules", { params: { query: { ref: "dm:400.3b", lang: "ja" }, header: { "If-None-Match": tag } } });
assert.equal(again.response.status, 304);
console.log("TypeScript: answers, the gate and a copy through a generated client");
