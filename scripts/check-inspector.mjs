// What scripts/check-inspector checks. usage: node scripts/check-inspector.mjs <results of scripts/build-inspector>
import { readFileSync } from "node:fs";
import path from "node:path";

const [results] = process.argv.slice(2);
const files = JSON.parse(readFileSync(path.join(results, "files.json"), "utf8"));
const page = readFileSync(path.join(results, "page", "index.html"), "utf8");

// What the page needs to start: itself, what it names, and what that imports at once.
const named = [...page.matchAll(/(?:src|href|content)="\/ui\/([^"]+)"/g)].map(([, name]) => name);
const needed = new Set(["index.html", ...named]);
for (const name of needed) {
  if (!name.endsWith(".js") || !files.some((file) => file.name === name)) continue;
  const code = readFileSync(path.join(results, "page", name), "utf8");
  for (const [, target] of code.matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) needed.add(path.posix.join(path.posix.dirname(name), target));
}
const first = files.filter(({ name }) => needed.has(name));
const scripts = first.filter(({ name }) => name.endsWith(".js"));

const limits = [
  ["first load", first, 90_000],
  ["scripts of the first load", scripts, 68_900], // 70,000 with the heads of the answers
  ["the whole page", files, 400_000],
];

const mistakes = [];
for (const [what, some, most] of limits) {
  const size = some.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  console.log(`${what}: ${size} of ${most} bytes, compressed, in ${some.length} ${some.length === 1 ? "file" : "files"}`);
  if (size > most) mistakes.push(`${what} has ${size} bytes; ${most} are allowed. Load less of it at once, or make it smaller.`);
}

for (const name of needed) if (!files.some((file) => file.name === name)) mistakes.push(`The page needs ${name}, which is not there.`);
for (const [, url] of page.matchAll(/(?:src|href)="(?!\/ui\/)([^"]*)"/g)) mistakes.push(`index.html loads ${url}, which is not below /ui/.`);
for (const [tag] of page.matchAll(/<style\b[^>]*>|<script\b(?![^>]*\ssrc=)[^>]*>|<[^>]*\s(?:style|on\w+)=[^>]*>/gi))
  mistakes.push(`index.html has an inline script or style: ${tag}`);

for (const mistake of mistakes) console.log(mistake);
process.exit(mistakes.length > 0 ? 1 : 0);
