import { expect, test } from "vitest";
import { hrefOf, routeOf } from "./route.js";

const address = (href: string) => new URL(href, "http://127.0.0.1");

test("names with any sign in them come back from the address", () => {
  for (const sessionId of ["a/b", "a?b#c", "100 %", "é😀", "a\\b", "…"]) {
    const route = { screen: "chat", serverId: "my server", sessionId } as const;
    expect(routeOf(address(hrefOf(route)))).toEqual(route);
  }
});

test("a name with half a character has an address, if not its own", () => {
  expect(hrefOf({ screen: "chat", serverId: "s", sessionId: "a\ud800😀" })).toBe(`/ui/s/s/${encodeURIComponent("a\ufffd😀")}`);
});
