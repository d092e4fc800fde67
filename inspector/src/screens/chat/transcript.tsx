// All blocks of the conversation, in a column that holds only what is near the eye.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { onKeyWish } from "../../lib/keys.js";
import { Announcer } from "../../parts/announcer.js";
import { VirtualColumn, type ColumnHandle } from "../../parts/virtual_column.js";
import type { Shown } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { spokenOf } from "../../state/spoken.js";
import { RowList } from "../../state/rows.js";
import { BlockRow } from "./block_row.js";

export function Transcript({ session, shown }: { session: Conversation; shown: Shown }) {
  const app = useApp();
  const column = useRef<ColumnHandle>(null);
  const list = useMemo(() => new RowList(), [session]);
  const rows = useMemo(() => list.update(session), [list, session.version]);
  const turn = useAppState(({ route }) => (route.screen === "chat" ? route.turn : undefined));
  const goTo = (number: number) => {
    const index = rows.findIndex((row) => row.turn === number);
    if (index >= 0) column.current?.scrollToIndex(index);
    return index >= 0;
  };
  const gone = useRef<number | undefined>(undefined); // once: a stream that comes back moves nobody
  useEffect(() => {
    if (turn === gone.current || shown.stream === "catching up" || shown.stream === "connecting") return;
    gone.current = turn;
    if (turn !== undefined && !goTo(turn))
      app.store.dispatch({ type: "notice", notice: `There is no turn ${turn} in this conversation.` });
  }, [turn, shown.stream === "live"]);
  const at = useRef(0);
  useEffect(
    () =>
      onKeyWish((wish) => {
        const last = session.turns.length;
        if (wish === "previous turn" || wish === "next turn") {
          const from = at.current === 0 ? last + 1 : at.current;
          at.current = Math.min(last, Math.max(1, from + (wish === "next turn" ? 1 : -1)));
          goTo(at.current);
          focusOn(at.current);
        }
        if (wish === "latest") column.current?.scrollToEnd();
        if (wish === "raw") {
          const block =
            document.activeElement?.closest<HTMLElement>("[data-seq]") ??
            document.querySelector<HTMLElement>("[data-seq]:hover");
          app.side(true, "trace", block?.dataset["seq"] ?? session.blocks.at(-1)?.seq ?? "");
        }
      }),
    [session, rows],
  );
  return (
    <>
      <VirtualColumn
        handle={column}
        label="Conversation"
        count={rows.length}
        version={session.version}
        keyOf={(index) => rows[index]!.key}
        render={(index) => <BlockRow row={rows[index]!} session={session} shown={shown} />}
      />
      <Announcer text={spokenOf(session)} />
    </>
  );
}

// The row of a turn that was gone to; it is in the page with the next frame.
function focusOn(turn: number): void {
  requestAnimationFrame(() =>
    setTimeout(() => document.querySelector<HTMLElement>(`.row[data-turn="${turn}"]`)?.focus({ preventScroll: true })),
  );
}
