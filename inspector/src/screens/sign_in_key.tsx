// The way in without signing in: a key where the daemon is started. Names the variables as far as the daemon knows them.
import { useEffect } from "preact/hooks";
import { useApp, useAppState } from "../lib/context.js";
import { keyNames } from "../state/key_names.js";

/** `isOnly`: there is no other way. */
export function SignInKey({ agent, isOnly }: { agent: string | undefined; isOnly: boolean }) {
  const app = useApp();
  const agents = useAppState((state) => state.agents);
  useEffect(() => {
    if (agents.state !== "ready") void app.loadAgents();
  }, []);
  const info = agents.state === "ready" ? agents.value.find(({ id }) => id === agent) : undefined;
  const keys = keyNames(info?.instructions ?? "");
  return (
    <>
      {isOnly ? "Set" : "Or set"}{" "}
      {keys.length === 0
        ? "the key it wants"
        : keys.map((key, at) => (
            <span key={key}>
              {at > 0 && " or "}
              <code>{key}</code>
            </span>
          ))}{" "}
      in the environment of the daemon, and start the daemon again.
    </>
  );
}
