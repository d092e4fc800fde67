// What a browser has to complain about in the pages of one context: errors and warnings on the console, errors nobody caught,
// requests that failed or went elsewhere, dialogs, violations of the content security policy. Any of it fails a check, unless the
// check announced it.

// A page that leaves or stops listening ends its own requests: nothing failed.
const byThePage = /ERR_ABORTED/;

export class Complaints {
  #heard = [];
  #allowed = [];
  #origin;

  // origin(): where requests may go
  static async of(context, origin) {
    const complaints = new Complaints();
    complaints.#origin = origin;
    const say = (text) => complaints.#heard.push(text);
    context.on("weberror", (error) => say(`uncaught: ${error.error()?.stack ?? error.error()}`));
    context.on("console", (message) => {
      const { url, lineNumber } = message.location();
      if (["error", "warning"].includes(message.type())) say(`console: ${message.text()} (${url}:${lineNumber})`);
    });
    context.on("dialog", (dialog) => {
      say(`a dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => {}); // the page is gone already
    });
    context.on("request", (request) => complaints.#judge(request));
    context.on("requestfailed", (request) => {
      const { errorText } = request.failure() ?? {};
      if (!byThePage.test(errorText)) say(`failed: ${request.method()} ${request.url()} ${errorText}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 400) say(`failed: ${response.request().method()} ${response.url()} ${response.status()}`);
    });
    await context.exposeBinding("reportViolation", (_, text) => say(`policy: ${text}`));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        globalThis.reportViolation(`${event.violatedDirective} forbids ${event.blockedURI || "inline"} (${event.sourceFile})`);
      });
    });
    return complaints;
  }

  // Complaints that belong to the check, such as the browser's own about a daemon that was killed.
  allow(...patterns) {
    this.#allowed.push(...patterns);
  }

  left() {
    return this.#heard.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)));
  }

  // That were heard and match, announced or not.
  matching(pattern) {
    return this.#heard.filter((text) => pattern.test(text));
  }

  #judge(request) {
    const url = new URL(request.url());
    if (["data:", "blob:"].includes(url.protocol) || url.origin === this.#origin()) return;
    this.#heard.push(`foreign: ${request.method()} ${request.url()}`);
  }
}
