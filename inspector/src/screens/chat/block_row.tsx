// One row of the conversation: which component shows which block. A row whose block is the same object is not drawn again.
import { Kept } from "../../parts/kept.js";
import type { Shown } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import type { Row } from "../../state/rows.js";
import { AskCard } from "./blocks/ask_card.js";
import { ErrorCard } from "./blocks/error_card.js";
import { ExitCard } from "./blocks/exit_card.js";
import { GapCard } from "./blocks/gap_card.js";
import { MessageCard } from "./blocks/message_card.js";
import { NoticeCard } from "./blocks/notice_card.js";
import { ReadsCard } from "./blocks/reads_card.js";
import { ThoughtCard } from "./blocks/thought_card.js";
import { ToolCard } from "./blocks/tool_card.js";
import { TurnFooter } from "./blocks/turn_footer.js";
import { UserCard } from "./blocks/user_card.js";

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
    case "permission":
    case "question":
      return <AskCard ask={block} serverId={shown.serverId} />;
    case "error":
      return <ErrorCard block={block} session={session} shown={shown} />;
    case "gap":
      return <GapCard block={block} />;
    case "exit":
      return <ExitCard block={block} session={session} shown={shown} />;
    case "turn":
      return row.turnState ? <TurnFooter turn={row.turnState} session={session} shown={shown} /> : null;
  }
}
