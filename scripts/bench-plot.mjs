// A curve of the benchmark as an SVG picture: axes, one line per series, no script. Readable on light and dark pages, and without
// colours: the lines differ in their dashes and marks, too.

const width = 680;
const height = 380;
const plot = { left: 70, right: 660, top: 62, bottom: 320 };
const light = ["#0969da", "#9a6700", "#8250df", "#1a7f37"];
const dark = ["#58a6ff", "#d29922", "#bc8cff", "#3fb950"];
const dashes = ["", "7 4", "2 4", "10 4 2 4"];

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const widthOf = (text) => 6.6 * text.length; // near enough for a legend
const rounded = (value) => Number(value.toFixed(1));

// Short enough for an axis: 1500 → 1,500; 65536 bytes → 64 KiB.
export function placeText(value, along) {
  if (!along.startsWith("bytes")) return value.toLocaleString("en-US");
  if (value >= 1 << 20) return `${value / (1 << 20)} MiB`;
  return value >= 1 << 10 ? `${value / (1 << 10)} KiB` : `${value} B`;
}

function decades(least, most) {
  const steps = Math.log10(most / least) > 2 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += 1)
    ticks.push(...steps.map((step) => Number((step * 10 ** power).toPrecision(1))));
  const first = ticks.findLastIndex((tick) => tick <= least);
  const last = ticks.findIndex((tick) => tick >= most);
  return ticks.slice(Math.max(first, 0), last < 0 ? undefined : last + 1);
}

function evenTicks(most) {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => Number((at * step).toPrecision(6)));
}

// The ticks of an axis, and the place of a value between 0 and 1.
function axis(scale, values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (scale === "linear") {
    const ticks = evenTicks(most);
    return { ticks, place: (value) => value / ticks.at(-1) };
  }
  const ticks = decades(least, most);
  const [from, to] = [Math.log(ticks[0]), Math.log(ticks.at(-1))];
  return { ticks, place: (value) => (Math.log(value) - from) / (to - from) };
}

// Ticks along x are where something was measured.
function alongAxis(scale, places) {
  if (scale === "steps") return (_, at) => at / (places.length - 1);
  const value = scale === "logarithmic" ? Math.log : (one) => one;
  const [from, to] = [value(places[0]), value(places.at(-1))];
  return (place) => (value(place) - from) / (to - from);
}

const marks = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="3.5"/>`,
  (x, y) => `<rect x="${rounded(x - 3.5)}" y="${rounded(y - 3.5)}" width="7" height="7"/>`,
  (x, y) => `<path d="M${x} ${rounded(y - 4.5)}l4.5 8h-9z"/>`,
  (x, y) => `<path d="M${x} ${rounded(y - 5)}l5 5-5 5-5-5z"/>`,
];

// The daemon looks the same in all pictures.
function stylesOf(series) {
  let next = 1;
  return series.map(({ name }) => (name === "daemon" ? 0 : next++));
}

export function plotOf(curve) {
  const vertical = axis(curve.yScale, curve.series.flatMap((series) => series.values));
  const horizontal = alongAxis(curve.xScale, curve.places);
  const xOf = (place, at) => rounded(plot.left + horizontal(place, at) * (plot.right - plot.left - 20) + 10);
  const yOf = (value) => rounded(plot.bottom - vertical.place(value) * (plot.bottom - plot.top));

  const grid = vertical.ticks.map((tick) => {
    const y = yOf(tick);
    return (
      `<path class="grid" d="M${plot.left} ${y}H${plot.right}"/>` +
      `<text x="${plot.left - 8}" y="${y + 4}" text-anchor="end">${tick.toLocaleString("en-US")}</text>`
    );
  });
  const below = curve.places.map((place, at) => {
    const x = xOf(place, at);
    return (
      `<path class="axis" d="M${x} ${plot.bottom}v5"/>` +
      `<text x="${x}" y="${plot.bottom + 20}" text-anchor="middle">${escaped(placeText(place, curve.along))}</text>`
    );
  });
  const styles = stylesOf(curve.series);
  const lines = curve.series.map((series, at) => {
    const nth = styles[at];
    const points = series.values.map((value, place) => [xOf(curve.places[place], place), yOf(value)]);
    return (
      `<g class="series-${nth}"><path class="line" d="M${points.map((point) => point.join(" ")).join("L")}"/>` +
      `${points.map(([x, y]) => marks[nth](x, y)).join("")}</g>`
    );
  });
  let x = plot.left;
  const legend = curve.series.map((series, at) => {
    const nth = styles[at];
    const item = (
      `<g class="series-${nth}"><path class="line" d="M${x} 42h28"/>${marks[nth](x + 14, 42)}</g>` +
      `<text x="${x + 34}" y="46">${escaped(series.name)}</text>`
    );
    x = rounded(x + 34 + widthOf(series.name) + 16);
    return item;
  });
  const colours = (list) => list.map((colour, nth) => `.series-${nth}{stroke:${colour};fill:${colour}}`).join("");
  const unit = `${curve.unit}${curve.yScale === "logarithmic" ? ", logarithmic" : ""}`;

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(curve.title)}, by ${escaped(curve.along)}</title>
<style>
svg{color:#1f2328;font:12px system-ui,sans-serif}text{fill:currentColor}.page{fill:#fff}
.title{font-size:14px;font-weight:600}.axis{stroke:currentColor}.grid{stroke:currentColor;opacity:.18}.line{fill:none;stroke-width:2}
${dashes.map((dash, nth) => (dash ? `.series-${nth} .line{stroke-dasharray:${dash}}` : "")).join("")}
${colours(light)}
@media (prefers-color-scheme:dark){svg{color:#e6edf3}.page{fill:#0d1117}${colours(dark)}}
</style>
<rect class="page" width="${width}" height="${height}"/>
<text class="title" x="${plot.left}" y="22">${escaped(curve.title)} (${escaped(unit)})</text>
${legend.join("\n")}
${grid.join("\n")}
<path class="axis" fill="none" d="M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}"/>
${below.join("\n")}
${lines.join("\n")}
<text x="${(plot.left + plot.right) / 2}" y="${height - 16}" text-anchor="middle">${escaped(curve.along)}</text>
</svg>
`;
}
