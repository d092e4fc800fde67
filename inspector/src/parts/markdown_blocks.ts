// The top-level blocks of a text in Markdown that grows: `update` takes the whole text each time, but reads again only what more text
// can still change. A block that did not change stays the same object, so that views can skip it.
//
// While a text grows there is one exception: a link reference definition counts only for what is read after it. `finish` reads all
// of a text that may have one, so at the end even that is right. A last block that grew beyond `large` is read again only when it
// grew by an eighth; what came since is its `tail`, shown as plain text until then. A paragraph that grew beyond `huge` is read no
// further: the rest of it, up to the next blank line, is plain text.
import { Lexer, type Links, type Token, type Tokens } from "marked";

export interface Block {
  readonly token: Token;
  /** Plain text behind it that was not read yet. Only the last block has one. */
  readonly tail: string;
}

const blankLine = /\n[ \t]*\n/;
const definition = /^ {0,3}\[[^\]]+\]:/m;

export class MarkdownBlocks {
  blocks: readonly Block[] = [];
  /** How many characters were read, in all. */
  work = 0;
  readonly #large: number;
  readonly #huge: number;
  #text = "";
  #tokens: Token[] = [];
  #links: Links = {};
  #lexed = 0; // the tokens hold the text up to here
  #lastStart = 0; // where the last token that is not blank starts

  constructor(large = 4096, huge = 65_536) {
    this.#large = large;
    this.#huge = huge;
  }

  /** The text is now this. */
  update(given: string): readonly Block[] {
    const text = given.includes("\r") ? given.replace(/\r\n?/g, "\n") : given;
    if (text === this.#text) return this.blocks;
    if (!text.startsWith(this.#text)) this.#forget();
    const from = this.#text.length;
    this.#text = text;
    if (!this.#growCode(from) && !this.#canWait()) this.#readOn();
    this.#refresh();
    return this.blocks;
  }

  /** The text is complete: what could wait is read. */
  finish(): readonly Block[] {
    if (this.#text.length < 4 * this.#huge && definition.test(this.#text)) this.#read(0);
    else if (this.#lexed < this.#text.length) this.#readOn();
    this.#refresh();
    return this.blocks;
  }

  #forget(): void {
    this.#text = "";
    this.#tokens = [];
    this.#links = {};
    this.#lexed = 0;
    this.#lastStart = 0;
  }

  /** A fence that is open takes what comes, as long as no other fence is in it. */
  #growCode(from: number): boolean {
    const last = this.#tokens.at(-1);
    if (last?.type !== "code" || this.#lexed !== from || !/^(```|~~~)/.test(last.raw) || !last.raw.includes("\n")) return false;
    const code = last as Tokens.Code;
    const opening = code.raw.indexOf("\n") + 1;
    const lines = this.#text.slice(this.#text.lastIndexOf("\n", from - 1) + 1);
    if (/^\s*[`~]/m.test(lines) || code.raw.slice(opening).replace(/\n$/, "") !== code.text) return false;
    const raw = code.raw + this.#text.slice(from);
    this.#tokens[this.#tokens.length - 1] = { ...code, raw, text: raw.slice(opening).replace(/\n$/, "") };
    this.#lexed = this.#text.length;
    return true;
  }

  /** Whether the last block is so large that it is not read for every word. */
  #canWait(): boolean {
    const size = this.#lexed - this.#lastStart;
    if (size < this.#large) return false;
    const tail = this.#text.length - this.#lexed;
    const last = this.#tokens.findLast((token) => token.type !== "space");
    const ends = last?.type === "paragraph" && blankLine.test(this.#text.slice(this.#lexed - 1));
    return !ends && (tail < size / 8 || this.#hugeProse() !== undefined);
  }

  #hugeProse(): Tokens.Paragraph | undefined {
    const last = this.#tokens.at(-1);
    return last?.type === "paragraph" && last.raw.length >= this.#huge ? (last as Tokens.Paragraph) : undefined;
  }

  /** Reads what can have changed. What a huge paragraph still gets belongs to it as it is. */
  #readOn(): void {
    const prose = this.#hugeProse();
    if (prose === undefined) return this.#read(this.#settled());
    const tail = this.#text.slice(this.#lexed);
    const end = blankLine.exec(tail);
    const rest = end === null ? tail : tail.slice(0, end.index);
    const text = rest.replace(/\n+$/, "");
    const run = { type: "text", raw: rest, text } as const;
    this.#tokens[this.#tokens.length - 1] = {
      ...prose,
      raw: prose.raw + rest,
      text: prose.text + text,
      tokens: [...prose.tokens, run],
    };
    this.#lexed += rest.length;
    if (this.#lexed < this.#text.length) this.#read(this.#tokens.length);
  }

  /** How many tokens more text cannot change. */
  #settled(): number {
    let start = this.#lexed;
    for (let at = this.#tokens.length - 1; at > 0; --at) {
      const token = this.#tokens[at]!;
      start -= token.raw.length;
      if (token.type !== "space" && this.#settledBefore(at, token, start)) return at;
    }
    return 0;
  }

  #settledBefore(at: number, token: Token, start: number): boolean {
    const before = this.#tokens[at - 1]!;
    const blank = before.type === "space" || before.raw.endsWith("\n\n");
    const last = before.type === "space" ? this.#tokens[at - 2] : before;
    if (last?.type === "heading" || last?.type === "hr") return before.raw.endsWith("\n");
    // A list takes the block after it in, when that becomes an item while its first line grows.
    const lineEnd = this.#text.indexOf("\n", start);
    const whole = lineEnd >= 0 && lineEnd + 1 < this.#lexed;
    if (last?.type === "list") return blank && whole;
    return blank || (whole && token.type === "heading" && /^ {0,3}#/.test(token.raw));
  }

  /** Reads again behind the first `keep` tokens. */
  #read(keep: number): void {
    const kept = this.#tokens.slice(0, keep);
    const start = kept.reduce((sum, token) => sum + token.raw.length, 0);
    const lexer = new Lexer();
    if (keep === 0) this.#links = {};
    lexer.tokens.links = this.#links;
    const source = this.#text.slice(start);
    this.work += source.length;
    const fresh = lexer.lex(source);
    this.#links = lexer.tokens.links;
    const old = this.#tokens;
    for (const [index, token] of fresh.entries()) {
      const known = old[keep + index];
      kept.push(known?.raw === token.raw && JSON.stringify(known) === JSON.stringify(token) ? known : token);
    }
    this.#tokens = kept;
    this.#lexed = this.#text.length;
    let end = this.#lexed;
    for (let at = kept.length - 1; at >= 0; --at) {
      end -= kept[at]!.raw.length;
      if (kept[at]!.type !== "space") break;
    }
    this.#lastStart = Math.max(0, end);
  }

  #refresh(): void {
    const tail = this.#text.slice(this.#lexed);
    const shown = this.#tokens.filter((token) => token.type !== "space" && token.type !== "def");
    this.blocks = shown.map((token, index) => {
      const behind = index === shown.length - 1 ? tail : "";
      const known = this.blocks[index];
      return known?.token === token && known.tail === behind ? known : { token, tail: behind };
    });
  }
}
