// A text in Markdown, block by block. A block that did not change is not drawn again.
import { Component } from "preact";
import { useRef } from "preact/hooks";
import { Kept } from "./kept.js";
import type { MarkdownProps } from "./markdown.js";
import { MarkdownBlocks, type Block } from "./markdown_blocks.js";
import { blockElement } from "./markdown_elements.js";
import { textRuns } from "./text_runs.js";

export function MarkdownView({ text, live }: MarkdownProps) {
  const kept = useRef<MarkdownBlocks>(undefined);
  const markdown = (kept.current ??= new MarkdownBlocks());
  markdown.update(text);
  const blocks = live ? markdown.blocks : markdown.finish();
  let level = 1;
  return (
    <div class="markdown">
      {blocks.map((block, index) => {
        const deepest = level + 1;
        if (block.token.type === "heading") level = Math.min(deepest, (block.token.depth as number) + 1, 6);
        return <BlockView key={index} block={block} level={deepest} live={live && index === blocks.length - 1} />;
      })}
    </div>
  );
}

interface BlockProps {
  block: Block;
  level: number;
  live: boolean;
}

class BlockView extends Component<BlockProps> {
  override shouldComponentUpdate({ block, level, live }: BlockProps): boolean {
    const { props } = this;
    return block !== props.block || level !== props.level || live !== props.live;
  }

  override render({ block: { token, tail }, level, live }: BlockProps) {
    // These take the tail into themselves.
    if (token.type === "paragraph" || token.type === "code") return <>{blockElement(token, { level, live, tail })}</>;
    return (
      <>
        <Kept key={level} of={token} draw={() => blockElement(token, { level, live, tail: "" })} />
        {tail === "" ? null : <p class="markdown-plain">{textRuns(tail)}</p>}
      </>
    );
  }
}
