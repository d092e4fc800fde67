// A module that is loaded when it is first needed. Until it is there, and when it cannot be loaded, those who use it have undefined
// and show something plain; the next one who needs it tries again.
import { useEffect, useState } from "preact/hooks";

export interface OnDemand<Module> {
  /** Starts to load. */
  preload(): Promise<void>;
  /** The module; undefined until it is there. A hook: the component is drawn again then. */
  use(wanted?: boolean): Module | undefined;
}

export function onDemand<Module>(load: () => Promise<Module>): OnDemand<Module> {
  let module: Module | undefined;
  let loading: Promise<void> | undefined;
  const preload = () =>
    (loading ??= load().then(
      (loaded) => {
        module = loaded;
      },
      () => {
        loading = undefined;
      },
    ));
  const use = (wanted = true) => {
    const [, draw] = useState(0);
    const waits = wanted && module === undefined;
    useEffect(() => {
      if (!waits) return;
      let there = true;
      void preload().then(() => there && draw((count) => count + 1));
      return () => {
        there = false;
      };
    }, [waits]);
    return wanted ? module : undefined;
  };
  return { preload, use };
}
