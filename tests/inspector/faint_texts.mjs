// Texts whose colour is too near to what is behind them, as the browser computes both. The page is switched from theme to theme without a
// frame between them, so that every screen can be looked at in all. What can be seen only on the pixels is left to picture.mjs.

// least: for text of the usual size; large text needs less.
const themes = [
  { theme: "dark", contrast: "less", least: 4.5 },
  { theme: "light", contrast: "more", least: 7 },
  { theme: "dark", contrast: "more", least: 7 },
];

// As sentences. Nothing may be moving.
export async function faintTexts(page) {
  const found = [];
  for (const theme of themes) found.push(...(await page.evaluate(faint, theme)));
  return found;
}

// Runs in the page.
function faint({ theme, contrast: wish, least }) {
  const { dataset } = document.documentElement;
  const before = { ...dataset };
  Object.assign(dataset, { theme, contrast: wish });
  const parse = (text) => {
    const [red, green, blue, alpha = 1] = (/\(([^)]+)\)/.exec(text)?.[1] ?? "0,0,0,0").split(/[ ,/]+/).map(Number);
    return [red, green, blue, alpha];
  };
  const over = ([r, g, b, alpha], below) => [r, g, b].map((value, at) => value * alpha + below[at] * (1 - alpha));
  const linear = (value) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const grounds = new Map();
  const groundOf = (node) => {
    if (!node) return [255, 255, 255];
    if (!grounds.has(node)) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      grounds.set(node, colour[3] === 1 ? colour.slice(0, 3) : over(colour, groundOf(node.parentElement)));
    }
    return grounds.get(node);
  };
  const opacityOf = (node) => (node ? Number(getComputedStyle(node).opacity) * opacityOf(node.parentElement) : 1);
  const isOff = (node) => node.closest('[aria-disabled="true"], :disabled, .visually-hidden, .skip') !== null;
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (text.data.trim() === "" || isOff(node) || !node.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(node);
    const ground = groundOf(node);
    const [red, green, blue, alpha] = parse(color);
    const contrast = ratio(luminance(over([red, green, blue, alpha * opacityOf(node)], ground)), luminance(ground));
    const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    const wanted = isLarge ? (least > 4.5 ? 4.5 : 3) : least;
    const words = `“${text.data.trim().slice(0, 40)}” (${color} on ${ground.map(Math.round)})`;
    const said = `${theme}, ${wish} contrast: ${words} has ${contrast.toFixed(1)}, not ${wanted}`;
    if (contrast < wanted - 0.005) found.set(said.replaceAll(/\d+ (s|ms|min)/g, "0"), said);
  }
  Object.assign(dataset, before);
  return [...found.values()].slice(0, 8);
}
