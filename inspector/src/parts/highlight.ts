// Code in colours: which stretches of a text are what. Flat, and neighbours of one kind are one stretch, so that the page stays small.
import type { Element, Root, Text } from "hast";
import bash from "refractor/bash";
import c from "refractor/c";
import cpp from "refractor/cpp";
import css from "refractor/css";
import diff from "refractor/diff";
import go from "refractor/go";
import java from "refractor/java";
import javascript from "refractor/javascript";
import json from "refractor/json";
import jsx from "refractor/jsx";
import markdown from "refractor/markdown";
import markup from "refractor/markup";
import python from "refractor/python";
import rust from "refractor/rust";
import sql from "refractor/sql";
import tsx from "refractor/tsx";
import typescript from "refractor/typescript";
import yaml from "refractor/yaml";
import { refractor } from "refractor/core";

export type CodeKind = "comment" | "string" | "number" | "keyword" | "name" | "type" | "tag" | "added" | "removed" | "strong";

export interface CodeRun {
  readonly text: string;
  /** undefined: nothing special. */
  readonly kind: CodeKind | undefined;
}

for (const language of [
  markup,
  css,
  javascript,
  typescript,
  jsx,
  tsx,
  json,
  bash,
  python,
  c,
  cpp,
  rust,
  go,
  java,
  sql,
  yaml,
  diff,
]) {
  refractor.register(language);
}
refractor.register(markdown);

const aliases = new Map(
  Object.entries({
    cc: "cpp",
    "c++": "cpp",
    cxx: "cpp",
    h: "c",
    hpp: "cpp",
    cjs: "javascript",
    mjs: "javascript",
    node: "javascript",
    cts: "typescript",
    mts: "typescript",
    console: "bash",
    zsh: "bash",
    shellsession: "bash",
    golang: "go",
    jsonc: "json",
    json5: "json",
    ndjson: "json",
    patch: "diff",
    postgres: "sql",
    sqlite: "sql",
    python3: "python",
    rs: "rust",
    vue: "markup",
  }),
);
const registered = new Set(refractor.listLanguages());

const kinds = new Map<string, CodeKind>(
  Object.entries({
    comment: "comment",
    prolog: "comment",
    doctype: "comment",
    cdata: "comment",
    shebang: "comment",
    string: "string",
    char: "string",
    "attr-value": "string",
    "template-string": "string",
    regex: "string",
    url: "string",
    number: "number",
    boolean: "number",
    constant: "number",
    null: "number",
    variable: "number",
    keyword: "keyword",
    atrule: "keyword",
    important: "keyword",
    builtin: "type",
    directive: "keyword",
    "class-name": "type",
    namespace: "type",
    function: "name",
    selector: "tag",
    tag: "tag",
    key: "tag",
    property: "tag",
    "attr-name": "name",
    title: "strong",
    bold: "strong",
    "inserted-sign": "added",
    inserted: "added",
    "deleted-sign": "removed",
    deleted: "removed",
    coord: "comment",
  } as const),
);

/** The stretches of the text; undefined: a language nobody knows here. */
export function highlight(text: string, language: string): CodeRun[] | undefined {
  const name = language.toLowerCase();
  const known = registered.has(name) ? name : aliases.get(name);
  if (known === undefined) return undefined;
  const runs: CodeRun[] = [];
  flatten(refractor.highlight(text, known), undefined, runs);
  return runs;
}

function flatten(node: Root | Element | Text, kind: CodeKind | undefined, runs: CodeRun[]): void {
  if (node.type === "text") {
    const last = runs.at(-1);
    if (last && last.kind === kind) runs[runs.length - 1] = { text: last.text + node.value, kind };
    else runs.push({ text: node.value, kind });
    return;
  }
  const own = node.type === "element" ? (kindOf(node) ?? kind) : kind;
  for (const child of node.children) if (child.type === "element" || child.type === "text") flatten(child, own, runs);
}

/** The last word that means something: Prism gives the plain kind first, then others that it is also. */
function kindOf(node: Element): CodeKind | undefined {
  const words = node.properties.className;
  if (!Array.isArray(words)) return undefined;
  return words.map((word) => kinds.get(String(word))).find((kind) => kind !== undefined);
}
