// The MCP server asked by another maker's client, over both transports: node mcp.mjs PYTHON HOME URL
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [python, home, url] = process.argv.slice(2);
const TOOLS = ["search_rules", "ask_rules", "get_rule", "read_section", "outline", "get_card", "resolve_cards", "verify_citations", "compare_zones", "look_up_term", "what_changed", "search_rulings"];

async function check(transport) {
  const client = new Client({ name: "other", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "rulestone");
  assert.match(client.getInstructions(), /verify_citations/);
  const { tools } = await client.listTools(); // from here on answers are held against the output schemas
  assert.deepEqual(TOOLS.filter((name) => !tools.some((tool) => tool.name === name)), []);
  const found = await client.callTool({ name: "search_rules", arguments: { query: "graveyard order", lang: "en" } });
  assert.equal(typeof found.structuredContent.truncated, "boolean");
  assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent);
  for (const [name, given] of [["compare_zones", {}], ["look_up_term", { label: "graveyard" }], ["search_rulings", {}], ["get_card", { name: "Fog" }], ["resolve_cards", { names: ["Fog"] }]]) {
    const answer = await client.callTool({ name, arguments: given });
    assert.ok(!answer.isError && answer.structuredContent, name);
  }
  const failed = await client.callTool({ name: "get_rule", arguments: { ref: "mtg:999.9" } });
  assert.ok(failed.isError && /search_rules/.test(failed.content[0].text));
  const { resources } = await client.listResources();
  const editions = await client.readResource({ uri: resources[0].uri });
  assert.ok(JSON.parse(editions.contents[0].text).editions.length);
  assert.ok((await client.listResourceTemplates()).resourceTemplates.length);
  const prompt = await client.getPrompt({ name: "judge_answer_ja", arguments: { query: "墓地を見てよいか" } });
  assert.match(prompt.messages[0].content.text, /墓地を見てよいか/);
  await client.close();
}

await check(new StdioClientTransport({ command: python, args: ["-m", "api.cli.app", "--home", home, "mcp"], env: process.env, stderr: "inherit" }));
console.log("stdio: ok");
await check(new StreamableHTTPClientTransport(new URL(url)));
console.log("streamable HTTP: ok");
