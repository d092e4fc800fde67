// A check's stage: one browser for the file; for each check a daemon and a profile of its own. When the check is over, nothing
// may have been complained about, and axe must find nothing on any page that is still open.
import { after, before, test } from "node:test";
import { launchChromium } from "../browser/page.mjs";
import { axeFindings, takePictures } from "./audit.mjs";
import { Complaints } from "./complaints.mjs";
import { InspectedDaemon } from "./daemon.mjs";
import { InspectorPage } from "./inspector_page.mjs";

// How much longer a limit is where everything is slower.
const scale = Number(process.env.SA_TIME_SCALE ?? 1);
const patience = 10_000 * scale;

let browser;

// Once per file.
export function useBrowser() {
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());
}

export const chromium = () => browser;

// A test whose name begins with the check's: check("B1 …", async ({ ui, daemon }) => …). Options, before the play: those of the
// daemon, or `daemon()`: one that is there already; `viewport`; `profile`: more of the browser's, such as touch; `timeout`.
export function check(name, ...rest) {
  const [play, options = {}] = rest.reverse();
  const limit = options.timeout ?? 60_000 * scale;
  test(name, { timeout: limit + patience }, async (t) => {
    const stage = await Stage.set(t, options);
    try {
      await inTime(limit, play(stage, t).then(() => stage.inspect()));
    } catch (error) {
      throw await stage.explain(error);
    } finally {
      await stage.strike();
    }
  });
}

// Fails when it is not over by then: before the runner gives up, so that what was there is told and ended.
async function inTime(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${ms} ms`)), ms);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// The milliseconds it took. Those in which this process stood still do not count: the machine did.
async function timeOf(promise) {
  let [ms, at] = [0, performance.now()];
  const count = () => {
    const now = performance.now();
    ms += Math.min(now - at, 100);
    at = now;
  };
  const beat = setInterval(count, 20);
  await promise.finally(() => clearInterval(beat));
  count();
  return Math.round(ms);
}

class Stage {
  #profiles = []; // { context, complaints }
  #ends = [];

  static async set(t, options) {
    const stage = new Stage();
    stage.name = /^\w+/.exec(t.name)[0];
    stage.options = options;
    stage.daemon = options.daemon?.() ?? (await InspectedDaemon.start(options));
    stage.atEnd(() => stage.daemon.stop());
    stage.origin = stage.daemon.origin;
    stage.ui = await stage.newProfile();
    stage.context = stage.ui.context;
    stage.complaints = stage.ui.complaints;
    return stage;
  }

  // A page in a profile that knows nothing of the others. options: of the browser's context.
  async newProfile(options = this.options.profile) {
    const { viewport = { width: 1440, height: 900 } } = this.options;
    const context = await browser.newContext({ viewport, colorScheme: "light", ...options });
    context.setDefaultTimeout(patience);
    const complaints = await Complaints.of(context, () => this.origin);
    this.#profiles.push({ context, complaints });
    return this.#newPage(context, complaints);
  }

  // Another tab of that page's profile.
  newTab({ context, complaints } = this.ui) {
    return this.#newPage(context, complaints);
  }

  // The same page in another tab with a copy of what the first one's session keeps, as a browser duplicates it.
  async duplicate({ raw, context, complaints } = this.ui) {
    const [page] = await Promise.all([context.waitForEvent("page"), raw.evaluate(() => void window.open(location.href))]);
    return new InspectorPage(page, this, complaints);
  }

  // What was started besides is ended, last first.
  atEnd(end) {
    this.#ends.unshift(end);
  }

  // So many milliseconds something may take that no check has a limit for.
  get patience() {
    return patience;
  }

  // Fails when it took longer.
  async within(limit, what, promise) {
    const ms = await timeOf(promise);
    if (ms > limit * scale) throw new Error(`${what} took ${ms} ms, more than ${limit * scale}`);
  }

  // The same for what can be done anew: once in three times is enough. play(nth) makes it ready, and answers what is measured.
  async onceWithin(limit, what, play) {
    const times = [];
    for (let ms = Infinity; ms > limit * scale; times.push(ms)) {
      if (times.length === 3) throw new Error(`${what} took ${times.join(", ")} ms, more than ${limit * scale}`);
      const deed = await play(times.length + 1);
      ms = await timeOf(deed());
    }
  }

  async #newPage(context, complaints) {
    return new InspectorPage(await context.newPage(), this, complaints);
  }

  async inspect() {
    const found = [];
    for (const [at, page] of this.#pages().entries()) {
      found.push(...(await axeFindings(page)));
      await takePictures(page, at > 0 ? `${this.name}.${at + 1}` : this.name);
    }
    found.push(...this.#complaints());
    if (found.length) throw new Error(found.join("\n"));
  }

  // Why a check failed is often in what the browser said, and in what the pages show.
  async explain(error) {
    const log = this.daemon.log();
    const shown = this.#pages().map(async (page) => {
      const text = await page.locator("body").ariaSnapshot({ timeout: 1000 * scale }).catch(() => "nothing");
      return `${page.url()} showed:\n${text.slice(0, 20_000)}`;
    });
    const parts = [...this.#complaints(), log && `the daemon said:\n${log}`, ...(await Promise.all(shown))];
    const told = new Error([error.message, ...parts.filter(Boolean)].join("\n"));
    told.stack = `${told.message}\n${(error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line)).join("\n")}`;
    return told;
  }

  async strike() {
    await Promise.allSettled(this.#profiles.map(({ context }) => context.close()));
    for (const end of this.#ends) await end();
  }

  #pages() {
    return this.#profiles.flatMap(({ context }) => context.pages()).filter((page) => page.url() !== "about:blank");
  }

  #complaints() {
    return this.#profiles.flatMap(({ complaints }) => complaints.left());
  }
}
