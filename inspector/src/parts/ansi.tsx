// The output of a terminal. What reads its colours is loaded on demand; until then it is shown without them.
import "./ansi.css";
import { onDemand } from "./on_demand.js";

const view = onDemand(() => import("./ansi_view.js"));

export function Ansi({ text }: { text: string }) {
  const AnsiView = view.use()?.AnsiView;
  if (AnsiView) return <AnsiView text={text} />;
  return (
    <pre class="ansi" tabIndex={0} role="group" aria-label="Terminal output">
      {text.slice(-8_192).replace(/\x1b\[[\d;]*[A-Za-z]/g, "")}
    </pre>
  );
}
