// One row of the conversation: which component shows which block. A row whose block is the same object is not drawn again.
import { Kept } from "../../parts/kept.js";
import type { Shown } from "../../state/app.js";
import type { Ask, ErrorBlock, ExitBlock, GapBlock } from "../../state/blocks.js";
import type { Conversation } from "../../state/conversation.js";
import type { Row } from "../../state/rows.js";
import { MessageCard } from "./blocks/message_card.js";
import { NoticeCard } from "./blocks/notice_card.js";
import { ReadsCard } from "./blocks/reads_card.js";
import { ThoughtCard } from "./blocks/thought_card.js";
import { ToolCard } from "./blocks/tool_card.js";
import { TurnFooter } from "./blocks/turn_footer.js";
import { UserCard } from "./blocks/user_card.js";
import { seldom } from "./seldom.js";

export interface BlockRowProps {
  readonly row: Row;
  readonly session: Conversation;
  readonly shown: Shown;
}

export function BlockRow({ row, session, shown }: BlockRowProps) {
  if ("reads" in row) {
    return (
      <div class="row" data-block="tool" data-seq={row.reads[0]!.seq}>
        <ReadsCard reads={row.reads} />
      </div>
    );
  }
  if ("forgotten" in row) {
    return (
      <p class="row quiet" data-block="forgotten">
        {row.forgotten} earlier {row.forgotten === 1 ? "block is" : "blocks are"} not kept: this page holds the newest messages
        only.
      </p>
    );
  }
  const { block } = row;
  return (
    <div class="row" tabIndex={-1} data-block={block.kind} data-seq={block.seq} data-turn={block.turn}>
      <Card row={row} session={session} shown={shown} />
    </div>
  );
}

function Card({ row, session, shown }: BlockRowProps & { row: Extract<Row, { block: unknown }> }) {
  const { block } = row;
  switch (block.kind) {
    case "user":
      return <Kept of={block} draw={() => <UserCard block={block} />} />;
    case "message":
      return <Kept of={block} draw={() => <MessageCard block={block} />} />;
    case "thought":
      return <Kept of={block} draw={() => <ThoughtCard block={block} />} />;
    case "tool":
      return <Kept of={block} draw={() => <ToolCard block={block} />} />;
    case "notice":
      return <Kept of={block} draw={() => <NoticeCard block={block} />} />;
    case "turn":
      return row.turnState ? <TurnFooter turn={row.turnState} session={session} shown={shown} /> : null;
    default:
      return <SeldomCard block={block} session={session} shown={shown} />;
  }
}

function SeldomCard({ block, ...at }: Omit<BlockRowProps, "row"> & { block: Ask | ErrorBlock | ExitBlock | GapBlock }) {
  const cards = seldom.use();
  if (!cards) return <p class="quiet">{block.kind === "error" ? block.message : "Loading …"}</p>;
  switch (block.kind) {
    case "error":
      return <cards.ErrorCard block={block} {...at} />;
    case "gap":
      return <cards.GapCard block={block} />;
    case "exit":
      return <cards.ExitCard block={block} {...at} />;
    default:
      return <cards.AskCard ask={block} serverId={at.shown.serverId} />;
  }
}
