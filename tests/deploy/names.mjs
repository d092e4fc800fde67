// What the binary itself says it understands: commands, their options, variables.
import { execFileSync } from "node:child_process";
import { binary } from "../contract/daemon.mjs";

const helps = new Map();
function helpOf(...command) {
  const key = command.join(" ");
  if (!helps.has(key)) helps.set(key, execFileSync(binary, [...command, "--help"], { encoding: "utf8" }));
  return helps.get(key);
}

const commands = () => JSON.parse(execFileSync(binary, ["help", "--json"], { encoding: "utf8" })).commands.map(({ name }) => name);

// Variables that are settings of the server.
export const variables = () => [...helpOf("server").matchAll(/[(](SANDBOX_AGENT_\w+)[)]/g)].map(([, name]) => name);

// What is wrong with a command line whose first word is the program: a command or an option that there is not, an option that
// lacks its value or has one too many. [] when nothing is.
export function mistakesIn([, ...words]) {
  const command = commands().filter((name) => words.join(" ").concat(" ").startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0];
  if (!command) return [`there is no command in "${words.join(" ")}"`];
  const help = helpOf(...command.split(" "));
  const options = new Map([...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)( [A-Z=]+)?  /gm)].map(([, name, value]) => [name, Boolean(value)]));
  const rest = words.slice(command.split(" ").length);
  const mistakes = [];
  for (let at = 0; at < rest.length; at++) {
    const [name, ...value] = rest[at].split("=");
    if (!name.startsWith("-")) continue;
    if (!options.has(name)) mistakes.push(`"${command}" has no option ${name}`);
    else if (options.get(name) && value.length === 0 && ++at >= rest.length) mistakes.push(`${name} lacks its value`);
    else if (!options.get(name) && value.length > 0) mistakes.push(`${name} takes no value`);
  }
  return mistakes;
}
