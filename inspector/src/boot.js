// Runs before the first paint, so that the page never shows the wrong theme: sets <html data-theme> to light or dark, as chosen
// here before or, failing that, as the system has it; and again when the system changes its mind. A classic script, with nothing
// to load.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem("sandbox-agent.theme");
    } catch {
      return null; // this browser keeps nothing for us
    }
  };
  const apply = () => {
    const theme = chosen();
    const isDark = theme === "dark" || (theme !== "light" && system.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  apply();
  system.addEventListener("change", apply);
})();
