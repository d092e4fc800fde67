// Chromium, and pages in it. Whatever a page complains about is a failure of the test that opened it.
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

// The first is Chromium without its window: a check takes a third less of the processor in it.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

// Nothing but this machine can be reached with them.
export const onlyThisMachine = ["--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

// It ends with us.
export function launchChromium() {
  return chromium.launch({
    executablePath: executable(),
    chromiumSandbox: false, // root cannot use it
    args: onlyThisMachine,
  });
}

export async function startBrowser() {
  const browser = await launchChromium();
  return {
    open: (site) => openPage(browser, site),
    stop: () => browser.close(),
  };
}

export function executable() {
  for (const name of names)
    for (const folder of (process.env.PATH ?? "").split(":"))
      try {
        const file = path.join(folder, name);
        accessSync(file, constants.X_OK);
        return file;
      } catch {} // not there
  throw new Error(`none of ${names.join(", ")} is on PATH: run scripts/setup, which installs Debian's chromium-headless-shell`);
}

// A browser tells of a rejection that nobody handles in a task of its own.
const nextTasks = () => new Promise((resolve) => setTimeout(() => setTimeout(resolve)));

// The page has a storage of its own. `raw` is Playwright's page.
async function openPage(browser, site) {
  const context = await browser.newContext();
  const raw = await context.newPage();
  const complaints = [];
  const allowed = [];
  raw.on("pageerror", (error) => complaints.push(`uncaught: ${error.stack ?? error}`));
  raw.on("crash", () => complaints.push("the page crashed"));
  raw.on("console", (message) => {
    const { url, lineNumber } = message.location();
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${url}:${lineNumber})`);
  });
  await raw.goto(site.origin);
  await raw.waitForFunction("globalThis.program").catch((error) => {
    throw new Error(`the program of the page did not start: ${[...complaints, error].join("\n")}`);
  });
  return {
    raw,
    // What the exported function answers. Both ways everything must be JSON.
    call: (name, ...words) => raw.evaluate(([name, words]) => globalThis.program[name](...words), [name, words]),
    // Complaints that belong to the test, such as the browser's own about an answer that is an error.
    allow: (pattern) => allowed.push(pattern),
    complaints: () => complaints.filter((text) => !allowed.some((pattern) => pattern.test(text))),
    // An error when the page complained.
    async close() {
      await raw.evaluate(nextTasks).catch((error) => complaints.push(`the page did not answer: ${error.message}`));
      await context.close();
      const left = this.complaints();
      if (left.length > 0) throw new Error(`the page complained:\n${left.join("\n")}`);
    },
  };
}
