// The themes to choose from.
import type { IconName } from "../../parts/icon.js";
import type { App } from "../../lib/app.js";
import type { Theme } from "../../state/app.js";

export const themes: Readonly<Record<Theme, { readonly name: string; readonly icon: IconName }>> = {
  system: { name: "As the system", icon: "system" },
  light: { name: "Light", icon: "sun" },
  dark: { name: "Dark", icon: "moon" },
  contrast: { name: "High contrast", icon: "contrast" },
};

export function themeItems(app: App) {
  const now = app.store.state.theme;
  return (Object.keys(themes) as Theme[]).map((theme) => ({
    ...themes[theme],
    isChosen: theme === now,
    onChoose: () => app.setTheme(theme),
  }));
}
