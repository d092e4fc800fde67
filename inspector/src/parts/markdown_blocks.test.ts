import fc from "fast-check";
import { Lexer } from "marked";
import { describe, expect, test } from "vitest";
import { MarkdownBlocks } from "./markdown_blocks.js";

const whole = (text: string) => Lexer.lex(text).filter(({ type }) => type !== "space" && type !== "def");
const tokensOf = (blocks: MarkdownBlocks) => blocks.blocks.map(({ token }) => token);

// What blocks are made of, whole and in halves, so that every cut happens. No definitions: "]:" cannot come out.
const crumb = fc.constantFrom(
  ..."\n,\n\n,\n\n\n, ,  ,    ,\t,a,word,two words,1,2.,1. a,1) b,-,- ,- a,* ,* b,+ c,***,---,- - -,===,#,# h,## h,###### h,>,> q,>q".split(
    ",",
  ),
  ..."```,```js,`,``,~~~,~,~~x~~,|,| a |,|-|,| - | - |,|:-:|,| a | b |,*e*,**s**,_u_,[x](http://a.b),![i](y),[,](,)".split(","),
  ..."<div>,</div>,<!--,-->,<b>,<pre>,</pre>,<script>,&amp;,http://a.b/c,www.a.b,a@b.c,\\,!,- [ ] t,- [x] t,x  \n,\r\n,\r".split(
    ",",
  ),
);
const text = fc
  .array(crumb, { maxLength: 40 })
  .map((crumbs) => crumbs.join(""))
  .filter((joined) => !joined.includes("]:"));

function* growing(all: string, cuts: number[]): Generator<string> {
  let end = 0;
  for (let index = 0; end < all.length; ++index) yield all.slice(0, (end += 1 + (cuts[index % cuts.length] ?? 0)));
}

const cuts = fc.array(fc.nat(12), { minLength: 1, maxLength: 10 });
const runs = 1000;
const found: [string, number[]][] = [
  ["~~~\n- a\n", [0]],
  ["> q- !<!--\n*e*\n\n", [11]],
  ["http://a.b/c\n</pre>\r\na\r\n- ###### h", [12]],
  ["x  \n* \n- [x] t", [0]],
  ["a+ c\nx  \n\t<b>\n|:-:|", [6]],
  ["1. a\n\n2.\n\nx", [6, 5]],
];

describe("the blocks of a growing text", () => {
  test("however a text is cut, they are those of the text so far", () => {
    fc.assert(
      fc.property(text, cuts, (all, sizes) => {
        const blocks = new MarkdownBlocks();
        for (const soFar of growing(all, sizes)) {
          blocks.update(soFar);
          expect(tokensOf(blocks)).toEqual(whole(soFar));
        }
      }),
      { numRuns: runs, examples: found },
    );
  });

  test("a paragraph that is huge is read no further, and what comes behind it is", () => {
    const blocks = new MarkdownBlocks(64, 256);
    let all = "";
    for (let word = 0; word < 2_000; ++word) blocks.update((all += `*word* ${word} `));
    expect(blocks.work).toBeLessThan(4_000);
    expect(
      tokensOf(blocks)
        .map(({ raw }) => raw)
        .join("") + blocks.blocks.at(-1)!.tail,
    ).toBe(all);
    blocks.update((all += "\n\n# head\n\nmore"));
    expect(tokensOf(blocks).map(({ type }) => type)).toEqual(["paragraph", "heading", "paragraph"]);
    expect(blocks.finish().map(({ tail }) => tail)).toEqual(["", "", ""]);
    expect(blocks.work).toBeLessThan(4_000);
    expect(blocks.blocks.map(({ token }) => token.raw.trim()).join("\n\n")).toBe(all.replace(/ \n/, "\n"));
  });

  test("a huge paragraph that is the last has all its text when the text is complete", () => {
    const blocks = new MarkdownBlocks(64, 256);
    const all = "word ".repeat(500);
    for (let end = 0; end < all.length; end += 100) blocks.update(all.slice(0, end));
    blocks.update(all);
    const [block] = blocks.finish();
    expect(block!.token.raw).toBe(all);
    expect(block!.tail).toBe("");
  });

  test("of large blocks they are right when the text is complete, and no text is missing before", () => {
    fc.assert(
      fc.property(text, cuts, (all, sizes) => {
        const blocks = new MarkdownBlocks(6);
        for (const soFar of growing(all, sizes)) blocks.update(soFar);
        blocks.finish();
        expect(tokensOf(blocks)).toEqual(whole(all));
        expect(blocks.blocks.every(({ tail }) => tail === "")).toBe(true);
      }),
      { numRuns: runs, examples: found },
    );
  });

  test("a definition that comes late counts at the end", () => {
    const blocks = new MarkdownBlocks();
    blocks.update("see [this]\n\nmore\n\n");
    blocks.update("see [this]\n\nmore\n\n[this]: http://a.b\n");
    blocks.finish();
    expect(tokensOf(blocks)).toEqual(whole("see [this]\n\nmore\n\n[this]: http://a.b\n"));
  });

  test("a definition that came before counts for all that follows", () => {
    const blocks = new MarkdownBlocks();
    for (const soFar of growing("[this]: http://a.b\n\none\n\nsee [this]\n", [3])) blocks.update(soFar);
    expect(tokensOf(blocks)).toEqual(whole("[this]: http://a.b\n\none\n\nsee [this]\n"));
  });

  test("blocks that did not change are the same objects", () => {
    const blocks = new MarkdownBlocks();
    const before = blocks.update("# one\n\ntwo\n\n- three\n\nfour");
    const after = blocks.update("# one\n\ntwo\n\n- three\n\nfour and more");
    expect(after.slice(0, 3).every((block, index) => block === before[index])).toBe(true);
    expect(after[3]).not.toBe(before[3]);
  });

  test("a text that is another one is read anew", () => {
    const blocks = new MarkdownBlocks();
    blocks.update("one\n\ntwo");
    blocks.update("other");
    expect(tokensOf(blocks)).toEqual(whole("other"));
  });

  test("words behind a large paragraph are its tail until it is read again", () => {
    const blocks = new MarkdownBlocks(10);
    blocks.update("a paragraph that is long");
    expect(blocks.update("a paragraph that is long x").at(-1)?.tail).toBe(" x");
    expect(blocks.finish().at(-1)?.tail).toBe("");
  });

  test.each([
    ["one paragraph", "token 12345 ".repeat(2000)],
    ["a paragraph with marks", "some *word* and `code`, ".repeat(1000)],
    ["one list", "- an item of a list\n".repeat(1200)],
    ["one table", "| a | b |\n|---|---|\n" + "| cell | cell |\n".repeat(1600)],
    ["paragraphs", "Some words, some more.\n\n".repeat(1000)],
  ])("reading %s piece by piece reads little more than the text", (_, all) => {
    const blocks = new MarkdownBlocks();
    for (const soFar of growing(all, [11])) blocks.update(soFar);
    // Up to 4,096 characters the last block is read for each piece; beyond that it grows by an eighth between.
    expect(blocks.work).toBeLessThan(all.length * 12 + (4096 * 4096) / 12);
  });
});
