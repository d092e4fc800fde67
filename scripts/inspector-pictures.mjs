// Takes the pictures of the inspector that README and guide show, of the built binary in Debian's Chromium.
// usage: node scripts/inspector-pictures.mjs <folder for the pictures>     SANDBOX_AGENT_UNDER_TEST names the binary
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { launchChromium } from "../tests/browser/page.mjs";
import { InspectedDaemon } from "../tests/inspector/daemon.mjs";
import { InspectorPage } from "../tests/inspector/inspector_page.mjs";

const [folder] = process.argv.slice(2);
const wide = { width: 1360, height: 850 };
const phone = { width: 390, height: 844 };

const project = {
  "README.md": "# Weather\n\nTells the weather of a town.\n",
  "src/main.ts":
    'import { weatherOf } from "./weather.js";\n\nconst [town = "Oslo"] = process.argv.slice(2);\nconsole.log(await weatherOf(town));\n',
  "src/weather.ts": "export async function weatherOf(town: string): Promise<string> {\n  return `It rains in ${town}.`;\n}\n",
  ".sandbox-agent/config/mcp.json": '{ "maps": { "command": "maps-server", "args": ["--stdio"] } }\n',
};

async function lay(root) {
  for (const [name, text] of Object.entries(project)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

// One browser profile per picture; the plays name what is seen in it.
const plays = {
  async chat(ui) {
    await ui.ask("/plan");
    await ui.ask("/edit");
    await ui.openDetails("Trace");
    await ui.trace.waitFor();
  },
  async permission(ui) {
    await ui.ask("/markdown");
    await ui.say("/permission");
    await ui.listening();
  },
  async trace(ui) {
    await ui.ask("/edit");
    await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Trace" }).click();
    await ui.trace.locator('[data-seq="5"]').click();
    await ui.raw.getByText("Schema: valid").waitFor();
  },
  async agents(ui) {
    await ui.open("/ui/agents/claude");
    await ui.raw.getByRole("heading", { level: 1 }).waitFor();
  },
  async files(ui, { work }) {
    await ui.open(`/ui/files?path=${work}/src/main.ts`);
    await ui.raw.getByText("weatherOf").first().waitFor();
  },
  async phone(ui) {
    await ui.say("/permission");
    await ui.listening();
  },
};
const dark = new Set(["permission", "trace"]);

const browser = await launchChromium();
try {
  await mkdir(folder, { recursive: true });
  for (const [name, play] of Object.entries(plays)) await take(name, play);
} finally {
  await browser.close();
}

// With a daemon of its own, so that nothing of another picture is in it.
async function take(name, play) {
  const daemon = await InspectedDaemon.start();
  const isPhone = name.startsWith("phone");
  const context = await browser.newContext({
    viewport: isPhone ? phone : wide,
    hasTouch: isPhone,
    colorScheme: dark.has(name) ? "dark" : "light",
  });
  try {
    await lay(daemon.work);
    const ui = new InspectorPage(await context.newPage(), { origin: daemon.origin, daemon });
    await ui.begin();
    await play(ui, daemon);
    await ui.raw.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200))));
    await ui.raw.screenshot({ path: path.join(folder, `${name}.png`), animations: "disabled" });
  } finally {
    await context.close();
    await daemon.stop();
  }
}
