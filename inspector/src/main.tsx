// Where the page begins: the token is taken out of the address, then everything is drawn.
import { render } from "preact";
import { App } from "./lib/app.js";
import { AppContext } from "./lib/context.js";
import { listenToKeys } from "./lib/keys.js";
import { takeTokenFromAddress } from "./lib/token.js";
import { watchTitle } from "./lib/page_title.js";
import { Page } from "./screens/page.js";
import "./styles/base.css";
import "./styles/contrast.css";
import "./styles/touch.css";

takeTokenFromAddress();
const app = new App();
listenToKeys(app);
watchTitle(app);
const place = document.getElementById("page")!;
place.replaceChildren();
render(
  <AppContext.Provider value={app}>
    <Page />
  </AppContext.Provider>,
  place,
);
performance.mark("interactive");

// What was pressed before the page listened (boot.js).
declare global {
  var earlyKeys: string[] | undefined;
}
const earlyKeys = globalThis.earlyKeys ?? [];
globalThis.earlyKeys = undefined; // from here on nobody notes them
for (const key of earlyKeys) document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
