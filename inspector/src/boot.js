// Runs before the first paint. Sets <html data-theme> to light or dark, as chosen here before or, failing that, as the system has it,
// and again when the system changes its mind: the page never shows the wrong theme. Then starts the program, when the empty frame
// has been painted. A classic script, with nothing to load.
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

  let isStarted = false;
  const start = () => {
    const main = document.querySelector("link[data-main]");
    if (!isStarted && main) import(main.href);
    isStarted = true;
  };
  document.addEventListener("DOMContentLoaded", () => {
    requestAnimationFrame(() => setTimeout(start));
    setTimeout(start, 100); // a page that is not seen has no frames
  });
})();
