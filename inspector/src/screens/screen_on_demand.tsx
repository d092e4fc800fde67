// A screen or a dialog that is loaded when it is first shown: says that it loads, and when it cannot be loaded why and what to do.
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { Modal } from "./frame/modal.js";

type Loaded = { readonly Screen: FunctionComponent } | "failed" | undefined;
type Load = () => Promise<FunctionComponent>;

export function screenOnDemand(name: string, load: Load): FunctionComponent {
  const useLoaded = loadedBy(load);
  return function OnDemand() {
    const [now, retry] = useLoaded();
    if (now !== undefined && now !== "failed") return <now.Screen />;
    return (
      <div class="empty" aria-busy={now === undefined}>
        <h1>{name}</h1>
        {now === undefined ? <p class="quiet">Loading …</p> : <Failure retry={retry} />}
      </div>
    );
  };
}

export function dialogOnDemand(name: string, load: Load): FunctionComponent {
  const useLoaded = loadedBy(load);
  return function OnDemand() {
    const app = useApp();
    const [now, retry] = useLoaded();
    if (now === undefined) return null; // it is there in a moment
    if (now !== "failed") return <now.Screen />;
    return (
      <Modal title={name} onClose={() => app.closeDialog()}>
        <Failure retry={retry} />
      </Modal>
    );
  };
}

function loadedBy(load: Load): () => [Loaded, retry: () => void] {
  let loaded: FunctionComponent | undefined;
  return () => {
    const [now, setNow] = useState<Loaded>(loaded && { Screen: loaded });
    useEffect(() => {
      if (now !== undefined) return undefined;
      let isThere = true;
      const tell = (next: Loaded) => isThere && setNow(next);
      load().then(
        (Screen) => {
          loaded = Screen;
          tell({ Screen });
        },
        () => tell("failed"),
      );
      return () => {
        isThere = false;
      };
    }, [now]);
    return [now, () => setNow(undefined)];
  };
}

function Failure({ retry }: { retry: () => void }) {
  return (
    <>
      <p role="alert">This could not be loaded: the daemon did not answer, or it is another version now.</p>
      <div class="buttons">
        <button type="button" class="button button-main" onClick={retry}>
          Retry
        </button>
        <button type="button" class="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    </>
  );
}
