// The theme: what the user chose, or what the system has. boot.js follows the system.
import type { Theme } from "../state/app.js";

export function applyTheme(theme: Theme): void {
  const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}
