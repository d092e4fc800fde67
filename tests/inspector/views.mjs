// What the sweeps look at: every address, and what no address leads to: dialogs, menus, what is opened on a screen.
import { isLoaded, routes, travel } from "./routes.mjs";
import { ConfigPage } from "./config_page.mjs";
import { PalettePage } from "./palette_page.mjs";
import { TracePage } from "./trace_page.mjs";

const at = (name) => routes.find((route) => route.name === name);
const gone = (locator) => locator.waitFor({ state: "detached" });

// One that Esc closes again.
const closed = (name, where, opened, open) => ({
  name,
  route: at(where),
  async open(ui) {
    await open(ui);
    await opened(ui).waitFor();
  },
  async close(ui) {
    await ui.keyboard.press("Escape");
    await gone(opened(ui));
  },
});
const dialog = (name) => (ui) => ui.raw.getByRole("dialog", { name });

async function openEntry(ui) {
  const config = new ConfigPage(ui, "mcp");
  await config.choose("tools");
  return config;
}

const details = {
  name: "details",
  route: at("chat"),
  open: (ui) => ui.openDetails("Changes"),
  close: (ui) => ui.details.getByRole("button", { name: "Close details" }).click(),
};
const sendBox = {
  name: "an envelope by hand",
  route: at("trace of a process"),
  open: (ui) => ui.button("Send envelope").click(),
  close: (ui) => ui.button("Send envelope").click(),
};
const form = {
  name: "an entry's form",
  route: at("config"),
  async open(ui) {
    await (await openEntry(ui)).field("Value of KEY").waitFor();
  },
};
const json = {
  name: "an entry's JSON",
  route: at("config"),
  async open(ui) {
    const config = await openEntry(ui);
    await config.view("JSON");
    await config.json.waitFor();
  },
};
const replay = {
  name: "replay of a file",
  route: at("trace of a process"),
  async open(ui) {
    const trace = new TracePage(ui);
    await trace.openFile((await trace.saves("Export")).path);
    await trace.replayed.waitFor();
    await ui.button("All at once").click();
    await ui.blocks("turn").first().waitFor();
  },
};

export const views = [
  ...routes.map((route) => ({ name: route.name, route, isGone: route.isGone })),
  details,
  sendBox,
  form,
  json,
  closed("new session", "log", (ui) => ui.newSession.getByRole("checkbox", { name: "tools" }), (ui) => ui.keyboard.press("n")),
  closed("keys", "log", dialog("Keys"), (ui) => ui.keyboard.press("?")),
  closed("palette", "log", dialog("Search"), (ui) => new PalettePage(ui).open()),
  closed("a session's menu", "log", (ui) => ui.raw.getByRole("menu"), (ui) => ui.raw.getByRole("button", { name: /^Actions for/ }).click()),
  replay,
];

// Each in turn, in one page that is loaded already.
export async function through(ui, place, look, some = views) {
  for (const view of some) {
    await travel(ui, view.route, place);
    if (view.open) {
      await view.open(ui);
      await isLoaded(ui);
    }
    await look(view);
    await view.close?.(ui);
  }
}
