import { expect, test } from "vitest";
import { isInlineImage, linkTarget } from "./link_target.js";

test.each(["http://a.b/c", "https://a.b/?q=1&r", "mailto:a@b.c"])("%s may be followed", (href) => {
  expect(linkTarget(href)).toBe(href);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:http://a.b/1",
  "ftp://a.b",
  "//a.b/c",
  "/ui/",
  "readme.md",
  "#part",
  "",
])("%j may not be followed", (href) => expect(linkTarget(href)).toBeUndefined());

test("only plain images are shown from their address", () => {
  expect(isInlineImage("data:image/png;base64,iVBORw0KGgo=")).toBe(true);
  expect(isInlineImage("data:image/svg+xml;base64,PHN2Zz4=")).toBe(false);
  expect(isInlineImage("data:image/png,raw")).toBe(false);
  expect(isInlineImage("http://a.b/c.png")).toBe(false);
});
