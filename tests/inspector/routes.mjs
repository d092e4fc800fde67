// Every address of the page, as the sweeps go through them: where it leads, its heading and title, what is seen there once it is loaded, the
// questions to the daemon that this comes from, and who says that they were refused if not the screen. A twin is a screen that another
// address shows too.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const link = (ui, name) => ui.raw.getByRole("main").getByRole("link", { name });
const button = (ui, name) => ui.raw.getByRole("main").getByRole("button", { name });
const item = (ui, name) => ui.raw.getByRole("treeitem", { name });

// place: { folder } or also { serverId, sessionId, seq } of a session that is there.
export const routes = [
  {
    name: "home",
    path: () => "/ui/",
    heading: /^Talk to an agent$/,
    title: /^Sandbox Agent$/,
    shows: (ui) => button(ui, "Start a session"),
    asks: /\/v1\/acp$/,
    refused: "bar",
  },
  {
    name: "chat",
    path: ({ serverId, sessionId }) => `/ui/s/${serverId}/${sessionId}`,
    heading: /^(?!Loading)./,
    title: /^.+ · Sandbox Agent$/,
    shows: (ui) => ui.blocks("turn").first(),
    asks: /\/v1\/acp\/[^/]+\?/,
    refused: "stream",
  },
  { name: "chat that is gone", path: () => "/ui/s/nobody/nothing", heading: /is not here$/, title: /^Sandbox Agent$/, isGone: true },
  { name: "trace", path: () => "/ui/trace", heading: /^Trace$/, title: /^Trace · /, shows: (ui) => button(ui, "Open trace file") },
  {
    name: "trace of a process",
    path: ({ serverId }) => `/ui/trace/${serverId}`,
    heading: /^Trace of /,
    title: /^Trace · /,
    shows: (ui) => ui.trace.locator("[data-seq]").first(),
    asks: /\/v1\/acp\/[^/]+\?/,
    refused: "stream",
  },
  {
    name: "an envelope",
    isTwin: true,
    path: ({ serverId, seq }) => `/ui/trace/${serverId}#${seq}`,
    heading: /^Trace of /,
    title: /^Trace · /,
    shows: (ui) => ui.raw.getByRole("region", { name: "Envelope", exact: true }).locator("[data-schema]"),
  },
  { name: "trace that is gone", path: () => "/ui/trace/nobody", heading: /^Trace/, title: /^Trace · /, isGone: true },
  {
    name: "agents",
    path: () => "/ui/agents",
    heading: /^Agents$/,
    title: /^Agents · /,
    navigations: ["Agents"],
    shows: (ui) => link(ui, /^Demo agent/i),
    asks: /\/v1\/agents(\?|$)/,
  },
  {
    name: "one agent",
    path: () => "/ui/agents/mock",
    heading: /./,
    title: /Agents · /,
    navigations: ["Agents"],
    shows: (ui) => button(ui, "Start a session"),
    asks: /\/v1\/agents(\?|$)/,
  },
  {
    name: "files",
    path: () => "/ui/files",
    heading: /^Files/,
    title: /^Files · /,
    navigations: ["Path"],
    shows: (ui) => item(ui, /^notes.md/),
    asks: /\/v1\/fs\//,
  },
  {
    name: "a folder",
    isTwin: true,
    path: ({ folder }) => `/ui/files?path=${folder}`,
    heading: /./,
    title: /Files · /,
    navigations: ["Path"],
    shows: (ui) => item(ui, /^notes.md/),
    asks: /\/v1\/fs\//,
  },
  {
    name: "a file",
    isTwin: true,
    path: ({ folder }) => `/ui/files?path=${folder}/notes.md`,
    heading: /./,
    title: /Files · /,
    navigations: ["Path"],
    shows: (ui) => ui.raw.getByRole("group", { name: "Content of notes.md" }),
    asks: /\/v1\/fs\//,
  },
  {
    name: "config",
    path: () => "/ui/config",
    heading: /^Config/,
    title: /^Config · /,
    shows: (ui) => button(ui, /^tools/),
    asks: /\/v1\/fs\//,
  },
  {
    name: "skills",
    isTwin: true,
    path: ({ folder }) => `/ui/config/skills?folder=${folder}`,
    heading: /^Config/,
    title: /Config · /,
    shows: (ui) => button(ui, "Add set of skills"),
    asks: /\/v1\/fs\//,
  },
  {
    name: "log",
    path: () => "/ui/log",
    heading: /^Log/,
    title: /^Log · /,
    shows: (ui) => ui.raw.locator('[data-fact="version"]'),
    asks: /\/v1\/status/,
  },
  { name: "replay", path: () => "/ui/replay", heading: /^Replay$/, title: /^Replay · /, shows: (ui) => button(ui, "Open trace file") },
  {
    name: "nothing",
    path: () => "/ui/no/such/place",
    heading: /^There is nothing here$/,
    title: /^Not found · /,
    shows: (ui) => link(ui, "Go to Chat"),
  },
];

// The browser's own words about a process that is not there.
export const goneComplaints = /404/;

// Opens it; answers when it shows what it has, and waits for nothing.
export async function visit(ui, route, place) {
  await ui.raw.goto(ui.stage.origin + route.path(place));
  await isThere(ui, route);
  if (place.sessionId !== undefined)
    await ui.raw.waitForFunction(() => /Idle/.test(document.querySelector('nav[aria-label="Sessions"]').textContent)); // a phone hides it
}

// The same, without loading the page again. What the page hears it draws with the next frame: what is seen before is the place it left.
export async function travel(ui, route, place) {
  await ui.raw.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, route.path(place));
  await isThere(ui, route);
}

async function isThere(ui, route) {
  await heading(ui, route).waitFor();
  await route.shows?.(ui).waitFor();
  await isLoaded(ui);
}

export async function isLoaded(ui) {
  await ui.raw.waitForFunction(() => {
    const waits = /\b(loading|connecting|catching up)\b|Asking for|Looking for/i.test(document.body.innerText);
    return !waits && document.querySelector('[aria-busy="true"], main [inert]') === null;
  });
}

export const heading = (ui, route) => ui.raw.getByRole("main").getByRole("heading", { level: 1, name: route.heading });

// A folder with something in it: a file, an MCP server.
export async function aFolder(daemon) {
  const config = path.join(daemon.work, ".sandbox-agent", "config");
  await mkdir(config, { recursive: true });
  const server = { type: "local", command: "tools-server", args: ["--all", "--with-a-long-argument=/srv/somewhere/else"] };
  await writeFile(path.join(config, "mcp.json"), JSON.stringify({ tools: { ...server, env: { KEY: "a secret" } } }));
  await writeFile(path.join(daemon.work, "notes.md"), `# Notes\n\n${"Some words of a longer line. ".repeat(8)}\n\n- one\n- two\n`);
  return { folder: daemon.work };
}

// And a session with something said in it; the page shows it.
export async function aPlace(ui, daemon) {
  const { folder } = await aFolder(daemon);
  await ui.begin();
  await ui.ask("/edit");
  const { seq } = (await daemon.messages(ui.serverId)).at(-1);
  return { serverId: ui.serverId, sessionId: decodeURIComponent(ui.place.split("/")[4]), folder, seq };
}
