// Tokens of Markdown as elements. Nothing in them becomes HTML: raw tags are shown as they were written, links and images only lead
// where `Link` and `isInlineImage` allow.
import type { Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { Code } from "./code.js";
import { Kept } from "./kept.js";
import { Link } from "./link.js";
import { isInlineImage, linkTarget } from "./link_target.js";
import { decodeEntities } from "./markdown_entities.js";
import { textRuns } from "./text_runs.js";

/** Where a block stands. */
export interface Place {
  /** The deepest heading that may come here, so that none is skipped. */
  readonly level: number;
  /** The text still grows here. */
  readonly live: boolean;
  /** Plain text behind the block that belongs to it. */
  readonly tail: string;
}

/** A block of the text. */
export function blockElement(token: Token, place: Place): ComponentChildren {
  const inner: Place = { ...place, live: false, tail: "" };
  const blocks = (tokens: Token[] | undefined) => tokens?.map((child) => blockElement(child, inner));
  const known = token as
    | Tokens.Heading
    | Tokens.Paragraph
    | Tokens.Code
    | Tokens.Blockquote
    | Tokens.List
    | Tokens.Table
    | Tokens.HTML
    | Tokens.Hr
    | Tokens.Space
    | Tokens.Def;
  switch (known.type) {
    case "paragraph":
      return (
        <p>
          <Kept of={known} draw={() => inlineElements(known.tokens)} />
          {textRuns(place.tail)}
        </p>
      );
    case "heading": {
      const Heading = `h${Math.min(6, known.depth + 1, place.level)}` as "h2";
      return <Heading class={`markdown-heading markdown-heading-${known.depth}`}>{inlineElements(known.tokens)}</Heading>;
    }
    case "code":
      return <Code text={known.text + place.tail} language={known.lang?.match(/^[^\s,{]*/)?.[0]} live={place.live} />;
    case "blockquote":
      return <blockquote dir="auto">{blocks(known.tokens)}</blockquote>;
    case "list":
      return listElement(known, inner);
    case "table":
      return tableElement(known);
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    case "html":
      return <p class="markdown-html">{known.text.trimEnd()}</p>;
    default:
      return inlineElement(token); // text straight in an item of a list
  }
}

function listElement(list: Tokens.List, place: Place): ComponentChildren {
  const items = list.items.map((item) => (
    <li class={item.task ? "markdown-task" : undefined}>{item.tokens.map((child) => blockElement(child, place))}</li>
  ));
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={list.start === "" ? undefined : list.start}>
      {items}
    </ol>
  );
}

function tableElement(table: Tokens.Table): ComponentChildren {
  const style = (cell: Tokens.TableCell) => (cell.align ? { textAlign: cell.align } : undefined);
  return (
    <div class="markdown-table" dir="auto" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell) => (
              <th scope="col" style={style(cell)}>
                {inlineElements(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td style={style(cell)}>{inlineElements(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inlineElements = (tokens: Token[] | undefined): ComponentChildren => tokens?.map(inlineElement);

function inlineElement(token: Token): ComponentChildren {
  const known = token as Exclude<
    | Tokens.Text
    | Tokens.Escape
    | Tokens.Strong
    | Tokens.Em
    | Tokens.Del
    | Tokens.Codespan
    | Tokens.Br
    | Tokens.Link
    | Tokens.Image
    | Tokens.Checkbox
    | Tokens.Tag,
    never
  >;
  switch (known.type) {
    case "text":
      return known.tokens ? inlineElements(known.tokens) : textRuns(decodeEntities(known.text));
    case "escape":
      return known.text;
    case "strong":
      return <strong>{inlineElements(known.tokens)}</strong>;
    case "em":
      return <em>{inlineElements(known.tokens)}</em>;
    case "del":
      return <del>{inlineElements(known.tokens)}</del>;
    case "codespan":
      return <code class="markdown-code">{known.text}</code>;
    case "br":
      return <br />;
    case "link":
      return linkElement(known);
    case "image":
      return imageElement(known);
    case "checkbox":
      return <input type="checkbox" disabled checked={known.checked} aria-label={known.checked ? "done" : "not done"} />;
    default:
      return token.raw; // tags, and what is not known
  }
}

function linkElement({ href, autolink, title, text, tokens }: Tokens.Link): ComponentChildren {
  const target = autolink ? href : decodeEntities(href);
  return (
    <Link href={target} title={title ? decodeEntities(title) : undefined}>
      {text === target ? text : inlineElements(tokens)}
    </Link>
  );
}

function imageElement({ href, text }: Tokens.Image): ComponentChildren {
  const alt = decodeEntities(text);
  if (isInlineImage(href)) return <img class="markdown-image" src={href} alt={alt} />;
  const address = decodeEntities(href);
  const shown = address.length > 200 ? `${address.slice(0, 200)}…` : address;
  return <Link href={linkTarget(address) ? address : shown}>{alt ? `Image: ${alt}` : shown}</Link>;
}
