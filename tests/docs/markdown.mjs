// What a Markdown file holds: fenced blocks, links, anchors, and what is wrong with its form. Pure text; reads no file.

// Marks of shell snippets; only "sh", so written, is ours.
const shellNames = ["sh", "bash", "shell", "console", "zsh", "ksh", "fish", "terminal", "shell-session", "shellsession"];
// Marks of programs; only "ts" is ours.
const programNames = ["ts", "typescript", "mts", "cts", "tsx", "js", "javascript", "mjs", "cjs", "jsx"];

// {blocks: [{language, fragment, line, text}], links: [{line, target}], anchors: Set, mistakes: [{line, what}]}. A block's line is
// that of its fence; all lines count from 1. `fragment`: it is no whole program.
export function readMarkdown(text) {
  const { blocks, prose, mistakes } = splitFences(text);
  for (const { language, more, line } of blocks) {
    const is = (names, ours) => language !== ours && names.includes(language.toLowerCase());
    if (is(shellNames, "sh"))
      mistakes.push({ line, what: `the block is marked ${language}; shell snippets are marked sh, so that they are run` });
    if (is(programNames, "ts"))
      mistakes.push({ line, what: `the block is marked ${language}; programs are TypeScript, marked ts, so that they are run` });
    if (language === "ts" && more && more !== "fragment")
      mistakes.push({ line, what: `the block is marked ts ${more}; there are only ts and ts fragment` });
  }
  return { blocks: blocks.map(({ more, ...block }) => ({ ...block, fragment: more === "fragment" })), links: linksIn(prose), anchors: anchorsIn(prose), mistakes };
}

// `prose`: the text with the fenced blocks as empty lines.
function splitFences(text) {
  const blocks = [];
  const mistakes = [];
  const prose = [];
  let open;
  text.split("\n").forEach((content, at) => {
    const line = at + 1;
    const fence = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)\s*([^`]*)$/.exec(content);
    if (open) {
      prose.push("");
      const closes = fence && !fence[3] && fence[2].startsWith(open.fence);
      if (!closes) {
        open.lines.push(content.startsWith(open.indent) ? content.slice(open.indent.length) : content.trimStart());
        return;
      }
      blocks.push({ language: open.language, more: open.more, line: open.line, text: open.lines.join("\n") });
      open = undefined;
    } else if (fence) {
      prose.push("");
      open = { indent: fence[1], fence: fence[2], language: fence[3], more: fence[4].trim(), line, lines: [] };
    } else {
      if (/^\s*>\s*(`{3}|~{3})/.test(content)) mistakes.push({ line, what: "a block in a quotation is not run; take it out" });
      prose.push(content);
    }
  });
  if (open) mistakes.push({ line: open.line, what: "the block has no end" });
  return { blocks, prose: prose.join("\n"), mistakes };
}

// Code and comments as spaces; lines stay where they are.
const blank = (text) => text.replace(/[^\n]/g, " ");
const inlineCode = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?(?<!`)\1(?!`)/g;
const withoutCode = (prose) => prose.replace(/<!--[\s\S]*?-->/g, blank).replace(inlineCode, blank);

function linksIn(prose) {
  const text = withoutCode(prose);
  const forms = [/\]\(\s*<?([^\s<>()]+)/g, /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s<>]+)/gm, /\b(?:href|src)="([^"\n]+)"/g];
  const links = forms.flatMap((form) => [...text.matchAll(form)]);
  const lineAt = (index) => text.slice(0, index).split("\n").length;
  return links.map(({ index, 1: target }) => ({ line: lineAt(index), target })).sort((a, b) => a.line - b.line);
}

// The names headings get where Markdown is shown, and those that were given by hand.
function anchorsIn(prose) {
  const anchors = new Set();
  for (const [, title] of prose.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$/gm)) {
    const name = nameOf(title);
    let unique = name;
    for (let more = 1; anchors.has(unique); more++) unique = `${name}-${more}`;
    anchors.add(unique);
  }
  for (const [, name] of withoutCode(prose).matchAll(/<a\s[^>]*\b(?:id|name)="([^"\n]+)"/g)) anchors.add(name);
  return anchors;
}

function nameOf(title) {
  const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return words.toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
}
