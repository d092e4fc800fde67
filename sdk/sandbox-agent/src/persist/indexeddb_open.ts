// Opening the database of a browser: makes its stores, gives way to newer versions, says why it cannot be opened.
import { SandboxAgentError } from "../error_classes.js";

const version = 1;

/** @param lost called when the connection cannot be used any longer. */
export function openDatabase(factory: IDBFactory | undefined, name: string, lost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (!factory)
      throw refusal("persist_unsupported", "There is no IndexedDB here.", "Use another driver, or pass `indexedDB`.");
    const request = factory.open(name, version);
    let refused = false;
    const refuse = (error: unknown) => {
      refused = true;
      reject(error);
    };
    request.onupgradeneeded = () => {
      request.result.createObjectStore("sessions", { keyPath: "id" }).createIndex("byAge", ["createdAt", "id"]);
      request.result.createObjectStore("events");
    };
    request.onblocked = () =>
      refuse(refusal("persist_blocked", `Another page keeps an older database "${name}" open.`, "Close or reload that page."));
    request.onerror = () => refuse(request.error?.name === "VersionError" ? tooNew(name, request.error) : request.error);
    request.onsuccess = () => {
      const database = request.result;
      if (refused) return database.close();
      const leave = () => {
        lost();
        database.close();
      };
      database.onversionchange = leave; // a newer page wants to change it, or to delete it
      database.onclose = leave; // the browser took it away
      resolve(database);
    };
  });
}

function tooNew(name: string, cause: unknown): SandboxAgentError {
  const message = `The database "${name}" was written by a newer sandbox-agent; this one knows version ${version}.`;
  return refusal("persist_too_new", message, "Update the package sandbox-agent: reload the page.", cause);
}

function refusal(code: string, message: string, hint: string, cause?: unknown): SandboxAgentError {
  return new SandboxAgentError(message, { code, hint, ...(cause === undefined ? {} : { cause }) });
}
