// What is to be seen on a picture of the page: words that stand out from what is behind them, and controls that have an edge. Measured on
// the pixels, for only they know what a theme, or colours that the system forces, made of it. No picture is kept to compare with.

const most = { words: 80, controls: 60 };

// { words: [{ text, box }], controls: [{ name, box }] } that are in sight and can be used.
function inSight(most) {
  const { innerWidth, innerHeight } = globalThis;
  const isSeen = ({ left, top, right, bottom }, node) => {
    if (right - left < 4 || bottom - top < 4 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (node.contains(hit) || hit.contains(node));
  };
  const isOff = (node) => node.closest('[aria-disabled="true"], :disabled, [inert], [aria-hidden="true"]') !== null;
  const boxOf = ({ left, top, right, bottom }) => [left, top, right, bottom];
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && words.length < most.words; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.data.trim();
    if (text.length < 2 || isOff(parent) || getComputedStyle(parent).visibility !== "visible") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [line] = [...range.getClientRects()].sort((a, b) => b.width - a.width);
    if (line && isSeen(line, parent)) words.push({ text: text.replaceAll(/\d+/g, "0"), box: boxOf(line) });
  }
  const fields = document.querySelectorAll(".button, .field, select, textarea, input:not([type=checkbox], [type=radio])");
  const controls = [...fields]
    .filter((node) => !isOff(node) && !node.matches(".palette-field, .chip *, .header-search") && isSeen(node.getBoundingClientRect(), node))
    .map((node) => ({ name: node.ariaLabel ?? node.textContent, box: boxOf(node.getBoundingClientRect()) }));
  return { words, controls: controls.slice(0, most.controls) };
}

// In an empty page: the contrast of every word with its ground, and of every control's edge with what is around it.
async function contrasts({ png, words, controls }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const linear = (value) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminances = (left, top, right, bottom) => {
    const x = Math.max(0, Math.floor(left));
    const y = Math.max(0, Math.floor(top));
    const { data } = context.getImageData(x, y, Math.max(1, Math.ceil(right) - x), Math.max(1, Math.ceil(bottom) - y));
    const found = [];
    for (let at = 0; at < data.length; at += 4)
      found.push(0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2]));
    return found;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const ofWord = ({ box }) => {
    const found = luminances(...box);
    const counts = new Map();
    for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
    const [ground] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best));
    return Math.max(...found.map((one) => ratio(one, ground)));
  };
  // Across its left edge, in the middle.
  const ofControl = ({ box: [left, top, , bottom] }) => {
    const y = (top + bottom) / 2;
    const across = luminances(left - 4, y, left + 4, y + 1);
    return Math.max(...across.map((one) => ratio(one, across[0])));
  };
  return { words: words.map(ofWord), controls: controls.map(ofControl) };
}

// The words that can be read now, without a picture.
export const textsInSight = async (page) => (await page.evaluate(inSight, most)).words.map(({ text }) => text);

export class Picture {
  // reader: an empty page, which reads pictures
  static async of(page, reader) {
    let [seen, png] = [await page.evaluate(inSight, most), ""];
    // Of a page that moved meanwhile the picture is another one than what was seen.
    for (let tries = 0, before; tries < 20 && JSON.stringify(seen) !== JSON.stringify(before); ++tries) {
      before = seen;
      png = (await page.screenshot({ scale: "css", animations: "disabled", caret: "hide" })).toString("base64");
      seen = await page.evaluate(inSight, most);
    }
    return Object.assign(new Picture(), seen, { measured: await reader.evaluate(contrasts, { png, ...seen }) });
  }

  // What cannot be seen, as sentences. Letters are thin and their edges soft, so the darkest pixel of a word has less contrast than
  // its colour: what axe finds in colours is not repeated here.
  faults({ word, control }) {
    const list = (what, some, measured, least) =>
      some.flatMap(({ name, text = name }, at) =>
        measured[at] < least ? [`${what} “${text}” has a contrast of ${measured[at].toFixed(1)}, not ${least}`] : [],
      );
    return [
      ...list("the word", this.words, this.measured.words, word),
      ...list("the edge of", this.controls, this.measured.controls, control),
    ];
  }

  get texts() {
    return this.words.map(({ text }) => text);
  }
}
