// The theme: what the user chose, or what the system has. boot.js sets it before the first paint, and follows the system.
import type { Theme } from "../state/app.js";

declare global {
  var applyTheme: (theme: Theme) => void;
}

export const applyTheme = (theme: Theme): void => globalThis.applyTheme(theme);
