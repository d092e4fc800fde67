// The bar at the top: how the daemon is, the theme, the keys.
import type { JSX } from "preact";
import type { Theme } from "../../state/app.js";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";

const nextTheme: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

export function Header(): JSX.Element {
  const app = useApp();
  const { word, version, restartedAt } = useAppState(({ daemon }) => daemon);
  const theme = useAppState((state) => state.theme);
  const said = restartedAt !== undefined && word === "healthy" ? "restarted" : word;
  return (
    <header class="header">
      <div class="header-daemon" role="status" aria-label="Daemon" data-word={said.replace(" ", "-")}>
        <Icon name={word === "healthy" ? "check" : word === "loading" ? "clock" : "warn"} />
        <span>
          <b>{said}</b> · {location.host}
          {version !== undefined && ` · v${version}`}
        </span>
      </div>
      <div class="header-tools">
        <button
          type="button"
          class="icon-button"
          aria-label="Theme"
          title={`Theme: ${theme}`}
          aria-description={`now: ${theme}`}
          onClick={() => app.setTheme(nextTheme[theme])}
        >
          <Icon name={theme === "light" ? "sun" : theme === "dark" ? "moon" : "system"} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => app.store.dispatch({ type: "dialog", dialog: "keys" })}
        >
          <Icon name="keyboard" />
        </button>
      </div>
    </header>
  );
}
