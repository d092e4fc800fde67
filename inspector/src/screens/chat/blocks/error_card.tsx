// Something failed: what, with which code, and a way on.
import { Icon } from "../../../parts/icon.js";
import { onDemand } from "../../../parts/on_demand.js";
import type { Shown } from "../../../state/app.js";
import type { ErrorBlock } from "../../../state/blocks.js";
import type { Conversation } from "../../../state/conversation.js";

export interface ErrorCardProps {
  readonly block: ErrorBlock;
  readonly session: Conversation;
  readonly shown: Shown;
}

const signIn = onDemand(() => import("./sign_in_card.js"));

export function ErrorCard(props: ErrorCardProps) {
  const { message, code, details, times, isMild } = props.block;
  const SignInCard = signIn.use(props.block.signIn === true)?.SignInCard;
  if (SignInCard) return <SignInCard {...props} />;
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
