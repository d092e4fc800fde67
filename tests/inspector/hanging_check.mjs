// A check that is never over, for harness.test.mjs.
import { check, useBrowser } from "./stage.mjs";

useBrowser();

check("H1 is never over", { timeout: 3000 * Number(process.env.SA_TIME_SCALE ?? 1) }, async ({ ui }) => {
  await ui.open();
  await new Promise(() => {});
});
