// Runs before the first paint. Sets <html data-theme> to light or dark, as chosen here before or, failing that, as the system has it,
// and again when the system changes its mind: the page never shows the wrong theme. Then starts the
// program, behind the first frame. A classic script, with nothing to load.
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

  // What is pressed before the program listens is not lost: it finds it here.
  globalThis.earlyKeys = [];
  const note = ({ key, ctrlKey, metaKey, altKey }) => {
    if (!ctrlKey && !metaKey && !altKey) globalThis.earlyKeys?.push(key);
  };
  document.addEventListener("keydown", note);

  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    import(document.querySelector("meta[name=program]").content).then(
      () => document.removeEventListener("keydown", note),
      () => {
        document.querySelector(".boot")?.removeAttribute("aria-hidden");
        const bar = document.querySelector(".boot-bar");
        if (bar) bar.textContent = "This page could not be loaded. Check that the daemon runs, then reload.";
      },
    );
  };
  document.addEventListener("DOMContentLoaded", () => {
    requestAnimationFrame(() => setTimeout(start));
    setTimeout(start, 100); // a page that is not seen has no frames
  });
})();
