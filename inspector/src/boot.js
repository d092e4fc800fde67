// Runs before the first paint. Sets <html data-theme> to light or dark and data-contrast to more or less, as chosen here before or,
// failing that, as the system has it, and again when the system changes its mind: the page never shows the wrong theme. Then starts
// the program, behind the first frame. A classic script, with nothing to load.
(() => {
  const isDarkSystem = matchMedia("(prefers-color-scheme: dark)");
  const wantsContrast = matchMedia("(prefers-contrast: more)");
  const chosen = () => {
    try {
      return localStorage.getItem("sandbox-agent.theme");
    } catch {
      return null; // this browser keeps nothing for us
    }
  };
  let theme = chosen();
  const apply = () => {
    const isOwn = theme === "dark" || theme === "light";
    const isDark = isOwn ? theme === "dark" : isDarkSystem.matches;
    const isStrong = theme === "contrast" || (!isOwn && wantsContrast.matches);
    Object.assign(document.documentElement.dataset, {
      theme: isDark ? "dark" : "light",
      contrast: isStrong ? "more" : "less",
    });
  };
  apply();
  for (const system of [isDarkSystem, wantsContrast]) system.addEventListener("change", apply);
  // The program tells what was chosen since.
  globalThis.applyTheme = (now) => {
    theme = now;
    apply();
  };

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
    const content = (name) => document.querySelector(`meta[name=${name}]`).content;
    const load = (rel, href) =>
      new Promise((resolve, reject) => {
        document.head.append(Object.assign(document.createElement("link"), { rel, href, onload: resolve, onerror: reject }));
      });
    const program = content("program");
    // Both at once; the program draws when it has its styles.
    Promise.all([load("stylesheet", content("styles")), load("modulepreload", program)])
      .then(() => import(program))
      .then(
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
