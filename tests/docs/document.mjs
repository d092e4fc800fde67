// One document held to its word: its form, its links, its snippets, and that nothing runs on afterwards.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { deadLinks } from "./links.mjs";
import { readMarkdown } from "./markdown.mjs";
import { preparePrograms } from "./programs.mjs";
import { complaint, objection, SnippetShell } from "./snippet_shell.mjs";
import { makeStage } from "./stage.mjs";

// The documents, relative to the repository.
export function documents(repository) {
  const packages = readdirSync(path.join(repository, "sdk"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const inFolder = (folder, recursive) =>
    readdirSync(path.join(repository, folder), { recursive })
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.join(folder, name));
  const ofPackages = packages.flatMap(({ name }) => inFolder(path.join("sdk", name), false));
  return [...inFolder(".", false), ...inFolder("docs", true), ...inFolder("sdk", false), ...ofPackages].sort();
}

// `step(name, body)` is told each promise of the document; body() keeps it or fails. body gets {skip(reason)}, for a snippet that
// was not reached. `limit`: milliseconds per snippet.
export async function checkDocument(repository, name, step, options) {
  await checkText(repository, name, readFileSync(path.join(repository, name), "utf8"), step, options);
}

// The same for a text that stands for the file `name`.
export async function checkText(repository, name, text, step, { limit = 30_000 } = {}) {
  const markdown = readMarkdown(text);
  const findings = (found) => {
    if (found.length > 0) throw complaint(found.map(({ line, what }) => `${name}:${line}: ${what}`).join("\n"));
  };
  await step("every block says what it is", () => findings(markdown.mistakes));
  await step("every link leads somewhere", () => findings(deadLinks(repository, name, markdown)));
  const lively = markdown.blocks.filter(({ language }) => language === "sh" || language === "ts");
  const blocks = lively.map((block) => ({ ...block, name: `${path.basename(name)}:${block.line}` }));
  if (blocks.length > 0) await playBlocks(repository, name, blocks, step, limit);
}

async function playBlocks(repository, name, blocks, step, limit) {
  const stage = await makeStage(repository);
  let failedAt;
  try {
    const wrongTypes = preparePrograms(repository, stage.snippets, stage.port, blocks);
    const against = (block) => objection(block.text) || wrongTypes.get(block.name);
    const impossible = blocks.findIndex(against);
    const possible = impossible < 0 ? blocks : blocks.slice(0, impossible);
    const shell = new SnippetShell(stage, repository, possible.filter(({ fragment }) => !fragment));
    for (const block of blocks)
      await step(`${name}:${block.line}  ${firstLine(block)}`, async ({ skip }) => {
        if (failedAt) return skip(`not reached: ${failedAt} failed`);
        failedAt = block.name; // until it has passed
        if (against(block)) throw complaint(`${block.name}: ${against(block)}`);
        if (!block.fragment) await shell.ended(block.name, limit);
        if (block.language === "ts") await shell.leftNothing(block.name);
        failedAt = undefined;
      });
  } finally {
    await step("nothing of it runs on", () => stage.end());
  }
}

const firstLine = ({ text }) => text.split("\n").find((line) => line.trim())?.trim() ?? "(empty)";
