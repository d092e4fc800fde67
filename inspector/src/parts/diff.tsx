// The change of a file. The comparison is loaded on demand; until then the new text is shown plainly.
import "./diff.css";
import { onDemand } from "./on_demand.js";

export interface DiffProps {
  path: string;
  /** null: the file is new. */
  oldText: string | null;
  newText: string;
}

const view = onDemand(() => import("./diff_view.js"));

export function Diff(props: DiffProps) {
  const DiffView = view.use()?.DiffView;
  if (DiffView) return <DiffView {...props} />;
  return (
    <figure class="diff" aria-label={`Changes in ${props.path}`}>
      <figcaption class="diff-head">
        <span class="diff-path">{props.path}</span>
      </figcaption>
      <pre class="diff-plain" tabIndex={0} role="group" aria-label="New text">
        {props.newText.slice(0, 20_000)}
      </pre>
    </figure>
  );
}
