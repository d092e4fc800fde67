// An agent that wants a login: its ways in, and the key that would do. Loaded when one does.
import { useState } from "preact/hooks";
import { useApp, useIsLive } from "../../../lib/context.js";
import { Icon } from "../../../parts/icon.js";
import { authMethodsOf } from "../../../state/instance.js";
import { fieldsOf } from "../../../state/json_rpc.js";
import { RouteLink } from "../../route_link.js";
import { SignInKey } from "../../sign_in_key.js";
import type { ErrorCardProps } from "./error_card.js";

export function SignInCard({ block, session, shown }: ErrorCardProps) {
  const app = useApp();
  const isLive = useIsLive();
  const [word, setWord] = useState("");
  const offered = authMethodsOf(fieldsOf(block.details)["authMethods"]);
  const methods = offered.length > 0 ? offered : (shown.view.introduction?.authMethods ?? []);
  const agent = app.notes.agentOf(shown.serverId);
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
      {isLive && (
        <>
          <p class="quiet">
            <SignInKey agent={agent} isOnly={methods.length === 0} />{" "}
            {agent !== undefined && <RouteLink route={{ screen: "agents", agent }}>About {agent}</RouteLink>}
          </p>
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
        </>
      )}
    </article>
  );
}
