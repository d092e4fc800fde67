// Whether the links of a document lead somewhere. Links to other sites are not followed.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { readMarkdown } from "./markdown.mjs";

const elsewhere = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

// The dead ones, as [{line, what}].
export function deadLinks(repository, name, { links }) {
  return links.flatMap(({ line, target }) => {
    if (elsewhere.test(target)) return [];
    const [file, fragment] = split(target);
    const folder = file.startsWith("/") ? repository : path.dirname(path.join(repository, name));
    const place = file ? path.join(folder, file) : path.join(repository, name);
    if (path.relative(repository, place).startsWith("..")) return [{ line, what: `the link ${target} leaves the repository` }];
    if (!existsSync(place)) return [{ line, what: `the link ${target} is dead: there is no such file` }];
    if (!fragment || !place.endsWith(".md")) return [];
    const { anchors } = readMarkdown(readFileSync(place, "utf8"));
    return anchors.has(fragment) ? [] : [{ line, what: `the link ${target} is dead: there is no such heading` }];
  });
}

function split(target) {
  const at = target.indexOf("#");
  const parts = at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
  return [parts[0].split("?")[0], parts[1]].map(decodeURIComponent);
}
