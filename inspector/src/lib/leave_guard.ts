// Keeps somebody from leaving with something unsaved: by a link, a key or Back within the page, and by closing or reloading it.
import type { Route } from "../state/route.js";
import type { App } from "./app.js";

/** `ask` is given what goes on with leaving. `isHere`: going there leaves nothing. Returns what ends the guard. */
export function guardLeaving(app: App, ask: (goOn: () => void) => void, isHere = (_: Route) => false): () => void {
  const hold = (event: Event) => event.preventDefault();
  const mayGo: App["mayGo"] = (route, goOn) => {
    if (isHere(route)) return true;
    ask(() => {
      end();
      goOn();
    });
    return false;
  };
  const end = () => {
    window.removeEventListener("beforeunload", hold);
    if (app.mayGo === mayGo) app.mayGo = undefined;
  };
  window.addEventListener("beforeunload", hold);
  app.mayGo = mayGo;
  return end;
}
