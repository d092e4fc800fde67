// One run: begins a session, has a first turn, then the long one. `begin()` gives a function that plays a turn and returns how many
// updates with text it read.
const [baseUrl, token, updates] = process.argv.slice(2);

export async function run(begin) {
  const begun = performance.now();
  const { turn, end } = await begin({ baseUrl, token });
  await turn("hello");
  const firstMs = performance.now() - begun;
  const before = process.cpuUsage();
  const read = await turn(`/flood ${updates}`);
  const { user, system } = process.cpuUsage(before);
  if (read !== Number(updates)) throw new Error(`${read} updates were read`);
  await end();
  console.log(JSON.stringify({ cpu: (user + system) / read, firstMs, peakMiB: process.resourceUsage().maxRSS / 1024 }));
}
