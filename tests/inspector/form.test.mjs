// How the page looks and fits: themes, widths, fingers, no script. Each sweep goes through every address of the page with one daemon.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { axeInOtherThemes, axeOnce } from "./audit.mjs";
import { Picture, textsInSight } from "./picture.mjs";
import { aPlace, goneComplaints } from "./routes.mjs";
import { check, chromium, useBrowser } from "./stage.mjs";
import { through } from "./views.mjs";

useBrowser();

const light = { colorScheme: "light", forcedColors: "none", reducedMotion: "reduce" };
const forced = { ...light, colorScheme: "dark", forcedColors: "active" };
const scale = Number(process.env.SA_TIME_SCALE ?? 1);
const long = { timeout: 120_000 * scale }; // every screen, on a machine that has other work too
const small = { viewport: { width: 1000, height: 640 }, ...long };
const nextFrame = (ui) => ui.raw.evaluate(() => new Promise(requestAnimationFrame));

describe("form", { concurrency: 2 }, () => {
  check("B35 every screen can be read in every theme, and nothing is lost in any", small, async (stage) => {
    const { ui, daemon, complaints } = stage;
    const place = await aPlace(ui, daemon);
    const reader = await chromium().newPage(); // in a window of its own: a tab that is not in front draws once a second
    stage.atEnd(() => reader.close());
    complaints.allow(goneComplaints);
    const found = [];
    await through(ui, place, async (view) => {
      const note = (wrong, theme) => found.push(...wrong.map((fault) => `${view.name}, ${theme}: ${fault}`));
      await ui.raw.emulateMedia(light);
      await nextFrame(ui);
      note(await axeOnce(ui.raw), "light");
      note(await axeInOtherThemes(ui.raw), "other themes");
      if (view.isGone) return;
      const texts = await textsInSight(ui.raw);
      await ui.raw.emulateMedia(forced);
      await nextFrame(ui);
      note(await axeOnce(ui.raw, ["color-contrast"]), "forced colours");
      const picture = await Picture.of(ui.raw, reader);
      const missing = texts.filter((text) => !picture.texts.includes(text));
      await ui.raw.emulateMedia(light);
      await nextFrame(ui);
      const still = missing.length > 0 ? await textsInSight(ui.raw) : []; // what the page itself took away meanwhile is not lost
      const lost = missing.filter((text) => still.includes(text)).map((text) => `“${text}” is lost`);
      note([...picture.faults({ word: 4, control: 3 }), ...lost], "forced colours");
    });
    assert.equal(found.join("\n"), "");
    await ui.raw.emulateMedia(light);
  });

  check("B35b the theme is chosen from a menu, kept, and there before the first paint", async ({ ui }) => {
    await ui.open();
    const choose = async (name) => {
      await ui.button("Theme").press("Enter");
      const item = ui.raw.getByRole("menuitemradio", { name });
      await item.waitFor();
      for (let tries = 0; tries < 4 && !(await item.and(ui.raw.locator(":focus")).count()); ++tries)
        await ui.keyboard.press("ArrowDown");
      await ui.keyboard.press("Enter");
      await ui.button("Theme").and(ui.raw.locator(":focus")).waitFor();
    };
    for (const [name, theme, contrast] of [
      ["Dark", "dark", "less"],
      ["High contrast", "light", "more"],
      ["Light", "light", "less"],
    ]) {
      await choose(name);
      await ui.raw.locator(`html[data-theme="${theme}"][data-contrast="${contrast}"]`).waitFor();
    }
    await choose("Dark");
    await ui.context.addInitScript(() => {
      document.addEventListener("DOMContentLoaded", () => (globalThis.themeAtFirst = document.documentElement.dataset.theme));
    });
    await ui.reload();
    assert.equal(await ui.raw.evaluate(() => globalThis.themeAtFirst), "dark");
    await choose("As the system");
    await ui.raw.emulateMedia({ colorScheme: "light", contrast: "more" });
    await ui.raw.locator('html[data-theme="light"][data-contrast="more"]').waitFor();
    await ui.raw.emulateMedia({ colorScheme: "dark", contrast: "no-preference" });
    await ui.raw.locator('html[data-theme="dark"][data-contrast="less"]').waitFor();
  });

  check("B36 at every width every screen fits, also when text is spaced, and what can be pressed is large enough", long, async (stage) => {
    const { ui, daemon, context, complaints } = stage;
    const place = await aPlace(ui, daemon);
    complaints.allow(goneComplaints);
    const hand = await context.newCDPSession(ui.raw);
    const touch = (enabled) => hand.send("Emulation.setTouchEmulationEnabled", { enabled });
    const found = [];
    await through(ui, place, async ({ name }) => {
      // What is wrong must stay so: a screen that is drawn anew at another width needs some frames.
      const look = async (what, ...measures) => {
        for (const measure of measures) {
          let faults = [""];
          const end = performance.now() + 1000 * scale; // in which some frames may come, or only one
          for (let frames = 0; faults.length > 0 && (frames < 20 || performance.now() < end); ++frames) {
            await nextFrame(ui);
            faults = await ui.raw.evaluate(...measure);
          }
          found.push(...faults.map((fault) => `${name}, ${what}: ${fault}`));
        }
      };
      await look("1440 × 900", [whatSticksOut], [whatIsSmall, 24]);
      await touch(true);
      for (const [width, height] of [[768, 1024], [390, 844], [320, 256], [320, 640]]) {
        await ui.raw.setViewportSize({ width, height });
        await look(`${width} × ${height}`, [whatSticksOut], [whatIsSmall, 44]);
      }
      await ui.raw.evaluate(spaceText, true);
      await look("spaced text", [whatSticksOut], [whatIsCut]);
      await ui.raw.evaluate(spaceText, false);
      await touch(false);
      await ui.raw.setViewportSize({ width: 1440, height: 900 });
    });
    assert.equal(found.join("\n"), "");
  });

  const phone = { viewport: { width: 320, height: 640 }, profile: { hasTouch: true, isMobile: true } };
  check("B36b on a phone everything is done by touch", phone, async ({ ui }) => {
    await ui.open();
    const bar = ui.raw.getByRole("navigation", { name: "Sections" });
    const more = async (name) => {
      await bar.getByRole("button", { name: "More" }).tap();
      await ui.raw.getByRole("menu").getByText(name, { exact: true }).tap();
    };
    const heading = (name) => ui.raw.getByRole("heading", { level: 1, name });
    await ui.button("New session").tap();
    await ui.newSession.getByRole("button", { name: "Start", disabled: false }).tap();
    await ui.composing();
    await ui.message.fill("/permission");
    await ui.button(/^Send/).tap();
    await ui.permission.waitFor();
    const card = await ui.permission.boundingBox();
    assert.ok(card.width >= 318, `the card is ${card.width} wide`);
    assert.equal(await ui.permission.evaluate((shown) => getComputedStyle(shown).borderBottomWidth), "2px");
    await ui.permission.getByRole("button", { name: "1 Allow once" }).tap();
    await ui.ended("done");
    await ui.message.fill("/plan");
    await ui.button(/^Send/).tap();
    await ui.plan.filter({ hasText: "3/3" }).waitFor();
    await ui.plan.getByRole("list").waitFor({ state: "hidden" }); // it is over, and leaves its room
    await ui.ended("done", 2);
    await ui.message.fill("/slow 1000");
    await ui.button(/^Send/).tap();
    await ui.hears("step 2 of 1000");
    await more("Log");
    await heading("Log").waitFor();
    await ui.raw.getByRole("region", { name: "Running" }).getByRole("button", { name: "Stop" }).tap();
    await bar.getByRole("link", { name: "Chat" }).tap();
    await ui.ended("cancelled");
    await ui.button("Details").tap();
    await ui.details.getByRole("tab", { name: "Stderr" }).tap();
    await ui.details.getByRole("tab", { name: "Stderr", selected: true }).waitFor();
    const sheet = await ui.details.boundingBox();
    assert.deepEqual([sheet.width, sheet.height], [320, 640]);
    await ui.details.getByRole("button", { name: "Close details" }).tap();
    await ui.details.waitFor({ state: "detached" });
    await bar.getByRole("link", { name: "Trace" }).tap();
    await ui.trace.waitFor();
    for (const name of ["Agents", "Files", "Config"]) {
      await more(name);
      await heading(name).waitFor();
    }
    await more("Theme: dark");
    await ui.raw.locator('html[data-theme="dark"]').waitFor();
    await more("Keys");
    await ui.raw.getByRole("dialog", { name: "Keys" }).getByRole("button", { name: "Close" }).tap();
    await more("Search");
    await ui.raw.getByRole("dialog", { name: "Search" }).getByRole("option", { name: /^\/permission/ }).tap();
    await ui.composing();
    await bar.getByRole("link", { name: "Sessions" }).tap();
    await ui.sessions.getByRole("link", { name: /^\/permission/ }).tap();
    await ui.composing();
  });

  check("B42 without scripts the page says what to do", async ({ ui, origin }) => {
    const context = await chromium().newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    try {
      const page = await context.newPage();
      await page.goto(`${origin}/ui/`);
      await page.getByRole("heading", { level: 1, name: "Sandbox Agent is running" }).waitFor();
      assert.match(await page.locator(".boot-plain").innerText(), /This page needs JavaScript[^]*curl .*\/v1\/health/);
      assert.equal(await page.locator(".boot").isVisible(), false);
      assert.equal(await page.locator("html").getAttribute("lang"), "en");
      assert.equal(await page.title(), "Sandbox Agent");
      for (const block of await page.locator(".boot-plain > *").all()) {
        const { x, width } = await block.boundingBox();
        assert.ok(x >= 0 && x + width <= 320, "it fits");
      }
    } finally {
      await context.close();
    }
    await ui.open();
  });
});

// Runs in the page: as somebody sets it who reads better so.
function spaceText(isOn) {
  const spaced = new CSSStyleSheet();
  spaced.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }");
  document.adoptedStyleSheets = isOn ? [spaced] : [];
}

// Runs in the page: what reaches beyond it sideways and could be scrolled to, or is cut off.
function whatSticksOut() {
  const { innerWidth } = globalThis;
  const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowX) && node !== document.documentElement;
  const isInside = (node) => {
    for (let at = node.parentElement; at; at = at.parentElement) if (scrolls(at) && !at.matches("main, .frame")) return true;
    return false;
  };
  const nameOf = (node) => `${node.tagName.toLowerCase()}.${node.className} ${node.textContent.slice(0, 30)}`;
  const out = [...document.querySelectorAll("body *")].filter((node) => {
    const { left, right, width, height } = node.getBoundingClientRect();
    if (width < 2 || height < 2 || getComputedStyle(node).position === "fixed" || node.closest(".skip, svg")) return false;
    return (right > innerWidth + 1 || left < -1) && !isInside(node);
  });
  const page = document.scrollingElement;
  const sideways = [page, ...document.querySelectorAll("main, .frame")].filter((node) => node.scrollWidth > node.clientWidth + 1);
  return [...sideways.map((node) => `${node.tagName} scrolls sideways`), ...out.slice(0, 3).map((node) => `sticks out: ${nameOf(node)}`)];
}

// Runs in the page: what can be pressed and is smaller. Links in text, and rows of tables and trees, are pressed as they are.
function whatIsSmall(least) {
  const all = "button, select, summary, input:not([type=checkbox], [type=radio]), textarea, [role=tab], nav a, a.button, label.check";
  const isInRow = (node) => node.closest('[role="row"], [role="treeitem"], .skip') !== null;
  return [...document.querySelectorAll(all)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !isInRow(node))
    .flatMap((node) => {
      const { width, height } = node.getBoundingClientRect();
      const isSmall = height < least - 0.5 || width < Math.min(least, 44) - 0.5;
      const name = node.ariaLabel ?? node.textContent.slice(0, 30);
      return isSmall && width > 0 ? [`${name} is ${Math.round(width)} × ${Math.round(height)}`] : [];
    });
}

// Runs in the page: text that is higher than its own box, and hidden there.
function whatIsCut() {
  return [...document.querySelectorAll("button, a, label, h1, h2, p, summary")]
    .filter((node) => node.checkVisibility() && getComputedStyle(node).overflowY === "hidden" && !node.matches(".visually-hidden"))
    .filter((node) => node.scrollHeight > node.clientHeight + 2)
    .map((node) => `cut off: ${node.textContent.slice(0, 30)}`);
}
