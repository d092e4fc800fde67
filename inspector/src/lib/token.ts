// The daemon's token: it comes in the fragment of a link or from the user, and stays in this tab unless the user wants it kept.
const key = "sandbox-agent.token";

/** Takes the token out of the address, before anything is asked of the daemon. Whether there was one. */
export function takeTokenFromAddress(): boolean {
  const match = /^#(?:.*&)?token=([^&]*)/.exec(location.hash);
  if (!match) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  const token = decode(match[1] ?? "");
  if (token !== "") rememberToken(token, false);
  return token !== "";
}

export function currentToken(): string | undefined {
  return read(() => sessionStorage) ?? read(() => localStorage);
}

export function rememberToken(token: string, onThisDevice: boolean): void {
  write(() => sessionStorage, token);
  write(() => localStorage, onThisDevice ? token : undefined);
}

let inMemory: string | undefined; // where storage is forbidden

function read(storage: () => Storage): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch {
    return inMemory;
  }
}

function write(storage: () => Storage, token: string | undefined): void {
  try {
    if (token === undefined) storage().removeItem(key);
    else storage().setItem(key, token);
  } catch {
    inMemory = token ?? inMemory;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
