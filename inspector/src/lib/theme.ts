// The theme: what the user chose, or what the system has. boot.js does the same before the first paint.
import type { Theme } from "../state/app.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme = "system";
dark.addEventListener("change", () => applyTheme(chosen));

export function applyTheme(theme: Theme): void {
  chosen = theme;
  document.documentElement.dataset["theme"] = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
}
