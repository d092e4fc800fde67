// Whether the browser keeps anything for this page.

export function keepsData(): boolean {
  const name = "sandbox-agent.try";
  try {
    localStorage.setItem(name, "1");
    localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
}
