import { describe, expect, test } from "vitest";
import { highlight } from "./highlight.js";

const samples: Record<string, [code: string, text: string, kind: string]> = {
  js: ["const a = 'x';", "const", "keyword"],
  ts: ["let a: string = `x`;", "let", "keyword"],
  tsx: ["const a = <b c='d' />;", "const", "keyword"],
  jsx: ["return <b>x</b>;", "return", "keyword"],
  json: ['{"a": 1}', '"a"', "tag"],
  bash: ["if true; then echo hi; fi # end", "# end", "comment"],
  sh: ["echo 'x'", "'x'", "string"],
  python: ["def f(): return 1", "def", "keyword"],
  c: ["int main() { return 0; }", "main", "name"],
  "c++": ["class A {};", "class", "keyword"],
  rust: ["fn main() {}", "fn", "keyword"],
  go: ["func main() {}", "func", "keyword"],
  java: ["class A { int b; }", "class", "keyword"],
  css: ["a { color: red }", "color", "tag"],
  html: ["<p class='x'>y</p>", "'x'", "string"],
  xml: ["<a/>", "a", "tag"],
  sql: ["SELECT 1", "SELECT", "keyword"],
  yaml: ["a: 1", "a", "tag"],
  diff: ["-old\n+new\n", "-old\n", "removed"],
  markdown: ["# head", "# head", "strong"],
};

describe("highlighting", () => {
  test.each(Object.entries(samples))("knows %s", (language, [code, text, kind]) => {
    const runs = highlight(code, language)!;
    expect(runs.map((run) => run.text).join("")).toBe(code);
    expect(
      runs.find((run) => run.kind === kind && run.text.includes(text)),
      JSON.stringify(runs),
    ).toBeDefined();
  });

  test("does not know every language", () => expect(highlight("x", "brainfuck")).toBeUndefined());

  test.each(["constructor", "extend", "__proto__"])("is not fooled by %s, a name that objects have", (name) => {
    expect(highlight("x", name)).toBeUndefined();
  });

  test("keeps neighbours of one kind together", () => {
    const runs = highlight("a = b + c;", "js")!;
    expect(runs.every((run, index) => run.kind !== runs[index + 1]?.kind || index === runs.length - 1)).toBe(true);
  });
});
