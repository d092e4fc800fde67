// The focus, as somebody sees it who uses no mouse.
import assert from "node:assert/strict";

// Runs in the page: what has the focus, and how its ring stands out from what is around it.
function ring() {
  const node = document.activeElement;
  if (!node || node === document.body) return { name: "nothing" };
  const style = getComputedStyle(node);
  const parse = (text) => (/rgba?\(([^)]+)\)/.exec(text)?.[1] ?? "0,0,0,0").split(/[ ,/]+/).map(Number);
  const linear = (value) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isInside = parseFloat(style.outlineOffset) < 0;
  let ground = [255, 255, 255];
  for (let at = isInside ? node : node.parentElement; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour[3] === 0) continue;
    ground = colour;
    break;
  }
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return {
    name: `${node.tagName.toLowerCase()} ${node.ariaLabel ?? node.textContent.slice(0, 40)}`,
    width: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    contrast: ratio(luminance(parse(style.outlineColor)), luminance(ground)),
    isInSight: right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
  };
}

// Something has the focus, is in sight, and has a ring of two pixels that can be seen.
export async function focusIsSeen(ui, step) {
  const { name, width, contrast, isInSight } = await ui.raw.evaluate(ring);
  assert.notEqual(name, "nothing", `${step}: nothing has the focus`);
  assert.ok(isInSight, `${step}: ${name} has the focus, and is out of sight`);
  assert.ok(width >= 2, `${step}: the ring of ${name} is ${width} px wide`);
  assert.ok(contrast >= 3, `${step}: the ring of ${name} has a contrast of ${contrast?.toFixed(1)}`);
}

// Tab until this has the focus; every stop on the way can be seen.
export async function tabTo(ui, locator, key = "Tab", most = 60) {
  for (let presses = 0; presses < most; ++presses) {
    if (await locator.and(ui.raw.locator(":focus")).count()) return;
    await ui.keyboard.press(key);
    await focusIsSeen(ui, `${key} to ${locator}`);
  }
  assert.fail(`${key} does not lead to ${locator}`);
}
