// The bar at the top: how the daemon is, what runs behind another screen, search, the theme, the keys.
import type { JSX } from "preact";
import { useApp, useAppState } from "../../lib/context.js";
import { hasCommandKey } from "../../lib/keyboard.js";
import { Icon } from "../../parts/icon.js";
import { usePhone } from "../../parts/use_media.js";
import { keysInWords } from "../../state/command_keys.js";
import { MenuButton } from "./menu_button.js";
import { RunningChip } from "./running_chip.js";
import { themeItems, themes } from "./themes.js";

const searchKeys = keysInWords("mod+k", hasCommandKey);

export function Header(): JSX.Element {
  const app = useApp();
  const { word, version, restartedAt } = useAppState(({ daemon }) => daemon);
  const theme = useAppState((state) => state.theme);
  const isPhone = usePhone(); // the rest is under More there
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
        <RunningChip />
        <button
          type="button"
          class="button header-search"
          aria-keyshortcuts={hasCommandKey ? "Meta+K" : "Control+K"}
          title={`Search (${searchKeys})`}
          onClick={() => app.open("palette")}
        >
          <Icon name="search" /> <span>Search</span> <kbd aria-hidden="true">{searchKeys}</kbd>
        </button>
        {!isPhone && (
          <>
            <MenuButton class="icon-button" label="Theme" title={`Theme: ${themes[theme].name}`} items={() => themeItems(app)}>
              <Icon name={themes[theme].icon} />
            </MenuButton>
            <button type="button" class="icon-button" aria-label="Keys" title="Keys (?)" onClick={() => app.open("keys")}>
              <Icon name="keyboard" />
            </button>
          </>
        )}
      </div>
    </header>
  );
}
