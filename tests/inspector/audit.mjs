// What is looked at when a check is over: axe finds nothing in light nor in dark, and pictures are taken if somebody wants them
// (SA_SCREENSHOTS: a folder).
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.SA_SCREENSHOTS;
const sizes = { 1440: 900, 390: 844 };

// Nothing moves any more, so colours are what they will be.
async function settle(page, colorScheme) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

// Violations as sentences. The program comes over the debugger's wire, which no policy of the page forbids.
async function findings(page, colorScheme, rules) {
  await settle(page, colorScheme);
  return (await judged(page, rules)).map((finding) => `axe (${colorScheme}): ${finding}`);
}

async function judged(page, rules) {
  const violations = await page.evaluate(
    async ({ rules }) => {
      const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
      const options = { resultTypes: ["violations"], preload: false, ...only };
      const { violations } = await globalThis.axe.run(document, options);
      const inWords = ({ target, html, failureSummary }) => `${target.join(" ")}\n    ${html}\n    ${failureSummary}`;
      return violations.map(({ id, help, nodes }) => ({ id, help, places: nodes.slice(0, 5).map(inWords) }));
    },
    { rules },
  );
  return violations.map(({ id, help, places }) => `${id}: ${help}\n  ${places.join("\n  ")}`);
}

// Everything in light; in dark only the colours are others.
export async function axeFindings(page) {
  await page.evaluate(axeSource);
  return [...(await findings(page, "light")), ...(await findings(page, "dark", ["color-contrast"]))];
}

// As the page is now: all rules, or those named.
export async function axeOnce(page, rules) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  return judged(page, rules);
}

// The themes beside light, and what is asked of their colours: high contrast means 7 : 1.
const otherThemes = [
  { theme: "dark", contrast: "less", rule: "color-contrast" },
  { theme: "light", contrast: "more", rule: "color-contrast-enhanced" },
  { theme: "dark", contrast: "more", rule: "color-contrast-enhanced" },
];

// Switched without a frame between them. Nothing may be moving.
export async function axeInOtherThemes(page) {
  const found = [];
  const before = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  const put = (names) => page.evaluate((names) => void Object.assign(document.documentElement.dataset, names), names);
  for (const { theme, contrast, rule } of otherThemes) {
    await put({ theme, contrast });
    found.push(...(await axeOnce(page, [rule])).map((finding) => `${theme}, ${contrast} contrast: ${finding}`));
  }
  await put(before);
  return found;
}

export async function takePictures(page, name) {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  const before = page.viewportSize();
  for (const [width, height] of Object.entries(sizes))
    for (const theme of ["light", "dark"]) {
      await page.setViewportSize({ width: Number(width), height });
      await settle(page, theme);
      await page.screenshot({ path: path.join(pictures, `${name}-${theme}-${width}.png`) });
    }
  await page.setViewportSize(before);
}
