// How components get at the app and at parts of its state.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AppState } from "../state/app.js";
import type { App } from "./app.js";
import { useStore } from "./store.js";

export const AppContext = createContext<App>(undefined as unknown as App);

export const useApp = (): App => useContext(AppContext);

/** Whether what is shown can still be acted on; a replayed file cannot. */
export const useIsLive = (): boolean => useAppState(({ route }) => route.screen !== "replay");

export function useAppState<T>(select: (state: AppState) => T): T {
  return useStore(useApp().store, select);
}
