// usage: node asking_agent.mjs
// An ACP agent that says what it is told to: a prompt is the JSON of a list of { method, params }. What has a method that asks is a
// request, and the turn ends when all of them are answered. What follows "later" is said when a client tells it to "go".
import readline from "node:readline";

const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const asks = new Set(["session/request_permission", "elicitation/create"]);
const open = new Set();
let asked = 0;
let turn;
let goOn;

function play(sessionId, told) {
  for (const [at, { method, params }] of told.entries()) {
    if (method === "later") {
      open.add(method);
      goOn = () => open.delete(method) && play(sessionId, told.slice(at + 1));
      return;
    }
    const isAsked = asks.has(method);
    if (isAsked) open.add(++asked);
    say({ ...(isAsked && { id: asked }), method, params: { sessionId, ...params } });
  }
}

function endTurn() {
  if (turn === undefined || open.size > 0) return;
  say({ id: turn, result: { stopReason: "end_turn" } });
  turn = undefined;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "asking", version: "1" } } });
  else if (method === "session/new") say({ id, result: { sessionId: "asking-1" } });
  else if (method === "session/prompt") {
    turn = id;
    play(params.sessionId, JSON.parse(params.prompt[0].text));
    endTurn();
  } else if (method === "go") goOn();
  else if (method === undefined) {
    open.delete(id);
    endTurn();
  } else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
}
