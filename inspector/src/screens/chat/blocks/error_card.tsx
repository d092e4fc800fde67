// Something failed: what, with which code, and a way on. An agent that wants a login shows its ways in.
import { useState } from "preact/hooks";
import { useApp } from "../../../lib/context.js";
import { Icon } from "../../../parts/icon.js";
import type { Shown } from "../../../state/app.js";
import type { ErrorBlock } from "../../../state/blocks.js";
import type { Conversation } from "../../../state/conversation.js";
import { fieldsOf } from "../../../state/json_rpc.js";
import { authMethodsOf } from "../../../state/instance.js";

export function ErrorCard({ block, session, shown }: { block: ErrorBlock; session: Conversation; shown: Shown }) {
  if (block.signIn) return <SignIn block={block} session={session} shown={shown} />;
  const { message, code, details, times, isMild } = block;
  if (isMild) return <p class="quiet">The agent does not remember what was said before: {message}</p>;
  return (
    <article class="problem" aria-label="Error">
      <p>
        <Icon name="warn" /> <b>{message}</b> {code !== undefined && <code>{code}</code>}{" "}
        {times > 1 && <span>{times} times</span>}
      </p>
      {details !== undefined && (
        <pre tabIndex={0}>{typeof details === "string" ? details : JSON.stringify(details, null, 2)}</pre>
      )}
    </article>
  );
}

function SignIn({ block, session, shown }: { block: ErrorBlock; session: Conversation; shown: Shown }) {
  const app = useApp();
  const [word, setWord] = useState("");
  const offered = authMethodsOf(fieldsOf(block.details)["authMethods"]);
  const methods = offered.length > 0 ? offered : (shown.view.introduction?.authMethods ?? []);
  const turn = block.turn === undefined ? undefined : session.turns[block.turn - 1];
  const signedIn = (failure: string | undefined) => {
    setWord(failure ?? "Signed in.");
    if (failure === undefined && turn === session.turns.at(-1) && turn) app.turns.retry(session, turn.prompt);
  };
  return (
    <article class="problem" aria-label="Sign in">
      <p>
        <Icon name="lock" /> <b>The agent wants you to sign in.</b> {block.message}{" "}
        {block.code !== undefined && <code>{block.code}</code>}
      </p>
      <p class="quiet">Or set the key it wants in the environment of the daemon, and restart the agent.</p>
      <div class="buttons">
        {methods.map(({ id, name, description }) => (
          <button
            key={id}
            type="button"
            class="button button-main"
            title={description}
            disabled={session.ended}
            onClick={() => void app.turns.signIn(id).then(signedIn)}
          >
            {name}
          </button>
        ))}
        {turn && (
          <button type="button" class="button" onClick={() => app.turns.retry(session, turn.prompt)}>
            Try again
          </button>
        )}
        <span role="status">{word}</span>
      </div>
    </article>
  );
}
