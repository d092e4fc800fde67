// What is wrong with the daemon, above everything else, until it is mended.
import { useEffect, useState } from "preact/hooks";
import { version as pageVersion } from "sandbox-agent/daemon";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";

export function Bars() {
  const { word, version, restartedAt } = useAppState(({ daemon }) => daemon);
  const notice = useAppState((state) => state.notice);
  const isGone = useAppState(({ shown }) => shown?.stream === "gone");
  return (
    <section class="bars" aria-label="Notices">
      {notice !== undefined && <Notice text={notice} />}
      {word === "unreachable" && <Unreachable />}
      {version !== undefined && version !== pageVersion && word === "healthy" && <OtherVersion version={version} />}
      {restartedAt !== undefined && word === "healthy" && <Restarted isGone={isGone} />}
    </section>
  );
}

function Notice({ text }: { text: string }) {
  const app = useApp();
  return (
    <div class="bar">
      <Icon name="stop" />
      <span role="status">{text}</span>
      <button type="button" class="button" onClick={() => app.store.dispatch({ type: "notice", notice: undefined })}>
        Understood
      </button>
    </div>
  );
}

function Unreachable() {
  const app = useApp();
  const retryAt = useAppState(({ daemon }) => daemon.retryAt ?? 0);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000));
  return (
    <div class="bar bar-bad">
      <Icon name="warn" />
      <span role="alert">The daemon is unreachable. What you wrote is kept.</span>
      <span class="quiet">{seconds > 0 ? `next try in ${seconds} s` : "trying …"}</span>
      <button type="button" class="button" onClick={() => app.retryDaemon()}>
        Retry now
      </button>
    </div>
  );
}

function OtherVersion({ version }: { version: string }) {
  return (
    <div class="bar" role="status">
      <Icon name="retry" />
      <span>A new version is running: {version}. This page is of another one.</span>
      <button type="button" class="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}

function Restarted({ isGone }: { isGone: boolean }) {
  const app = useApp();
  const session = useAppState(() => app.conversation);
  const canLoad = useAppState(({ shown }) => shown?.view.introduction?.canLoad === true);
  return (
    <section class="bar bar-warn" aria-label="Daemon restarted">
      <Icon name="warn" />
      <span role="status">
        The daemon restarted. The agents that ran in it ended, and what was under way is lost
        {isGone ? "; this conversation is kept here as it was." : "."}
      </span>
      {isGone && session && (
        <>
          {canLoad && (
            <button type="button" class="button" onClick={() => void app.restart(session, "load")}>
              Load
            </button>
          )}
          <button type="button" class="button" onClick={() => void app.restart(session, "anew")}>
            Restart
          </button>
        </>
      )}
      <button type="button" class="button" onClick={() => app.store.dispatch({ type: "daemon", news: { type: "seen" } })}>
        Understood
      </button>
    </section>
  );
}
