// What the stub model does next. The prompt says it: the last user text with a marker decides.
//   [[stub:text SOME WORDS]]        stream SOME WORDS, one word a chunk
//   [[stub:slow N MS WORD]]         stream N chunks "WORD0 ", "WORD1 ", …, MS milliseconds apart
//   [[stub:hold N WORD]]            the same without pauses, but the last one only after release(WORD)
//   [[stub:big N BYTES]]            stream N chunks of BYTES bytes as fast as the socket takes them
//   [[stub:shell COMMAND]]          ask for the agent's shell tool
//   [[stub:write PATH CONTENT]]     ask for the agent's file-writing tool
// Once a tool result follows the marker the turn is closed: "tool said: <first 80 characters>".
// No marker: "stub says hello". A request without tools (titles, summaries, topic checks) gets a short text at once, so side
// requests of an agent neither stall nor loop.

const shellTools = ["Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command", "execute_command"];
const writeTools = ["Write", "write", "write_file", "write_to_file", "create_file", "apply_patch", "edit_file"];
const pathNames = ["file_path", "filePath", "absolute_path", "path", "target_file", "filename", "file"];
const contentNames = ["content", "contents", "file_content", "file_text", "new_string", "text"];

// What the streaming markers say, so that a test knows what to expect.
export const countedChunks = (count, word) => Array.from({ length: count }, (_, i) => `${word}${i} `);

// Varied but repeatable: the same bytes on every run, nothing an agent's loop detector would trip on.
export function bigChunks(count, bytes) {
  let state = 1;
  const chunk = () => {
    let text = "";
    while (text.length < bytes) {
      state = (state * 1103515245 + 12345) % 2147483648;
      text += state.toString(36) + " ";
    }
    return text.slice(0, bytes - 1) + " ";
  };
  return Array.from({ length: count }, chunk);
}

// Arguments for a tool by its own JSON schema: `known` is rows of [possible names, value], the rest of what is required is
// filled with something of the right type.
function fill(schema, known) {
  const properties = schema?.properties ?? {};
  const typesOf = (property) => [].concat(property?.type ?? "string").map((type) => String(type).toLowerCase());
  const filled = {};
  for (const [names, value] of known) {
    const name = names.find((candidate) => candidate in properties);
    if (!name) continue;
    const types = typesOf(properties[name]);
    filled[name] = types.includes("array") && !types.includes("string") ? [].concat(value) : value;
  }
  const blank = { string: "stub", boolean: false, number: 1, integer: 1, array: [], object: {} };
  for (const name of schema?.required ?? []) {
    filled[name] ??= properties[name]?.enum?.[0] ?? blank[typesOf(properties[name])[0]] ?? "stub";
  }
  return filled;
}

const pick = (tools, names) => names.map((name) => tools.find((tool) => tool.name === name)).find(Boolean);

function shellCall(tools, command) {
  const tool = pick(tools, shellTools);
  if (!tool) return undefined;
  return {
    name: tool.name,
    args: fill(tool.schema, [
      [["command", "cmd", "script"], tool.name === "shell" ? ["bash", "-lc", command] : command],
      [["description"], "stub shell call"],
      [["sandbox_permissions"], "require_escalated"],  // makes codex ask
      [["justification"], "the stub asks"],
    ]),
  };
}

function writeCall(tools, rest) {
  const tool = pick(tools, writeTools);
  if (!tool) return undefined;
  const [, path, content] = /^(\S+)\s*([\s\S]*)$/.exec(rest);
  const call = (known) => ({ name: tool.name, args: fill(tool.schema, known) });
  if (tool.name !== "apply_patch") return call([[pathNames, path], [contentNames, content]]);
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\n`;
  if (tool.custom) return { name: tool.name, custom: true, input: patch };
  return call([[["input", "patch", "patchText"], patch]]);
}

const toolCalls = { shell: shellCall, write: writeCall };

const says = (...chunks) => ({ chunks });

// items: { user, text } or { result } in the order of the conversation; tools: { name, schema, custom }.
// A plan is { chunks, gap?, holds?, call?: { name, args | custom, input } }.
export function decide(items, tools) {
  if (!tools.length) return says("stub ", "title");
  const marker = /\[\[stub:(\w+)\s*([\s\S]*?)\]\]/g;
  const marks = items.map((item) => (item.user && item.text ? [...item.text.matchAll(marker)].at(-1) : undefined));
  const at = marks.findLastIndex(Boolean);
  if (at < 0) return says("stub ", "says ", "hello");
  const results = items.slice(at + 1).filter((item) => item.result !== undefined);
  if (results.length) return says("tool ", "said: ", String(results.at(-1).result).slice(0, 80));

  const [, verb, rest] = marks[at];
  const words = rest.split(/\s+/);
  if (verb === "text") return says(...rest.split(/(?<=\s)/));
  if (verb === "slow") return { ...says(...countedChunks(Number(words[0]), words[2])), gap: Number(words[1]) };
  if (verb === "hold") return { ...says(...countedChunks(Number(words[0]), words[1])), holds: words[1] };
  if (verb === "big") return says(...bigChunks(Number(words[0]), Number(words[1])));
  const call = toolCalls[verb]?.(tools, rest);
  if (call) return { ...says(`calling ${call.name}`), call };
  return says(`stub: nothing for "${verb}" among: ${tools.map((tool) => tool.name).join(", ")}`);
}
