import { expect, test } from "vitest";
import type { Token } from "marked";
import type { VNode } from "preact";
import { blockElement } from "./markdown_elements.js";

const imageOf = (href: string, text = "") => {
  const token = { type: "image", raw: "", href, text } as unknown as Token;
  return blockElement(token, { level: 1, live: false, tail: "" }) as VNode<{ href: string; children: string }>;
};

test("an image elsewhere is a link to its whole address, however long; only the text is cut", () => {
  const address = `https://example.org/${"x".repeat(400)}?a=1&amp;b=2`;
  const { props } = imageOf(address);
  expect(props.href).toBe(address.replace("&amp;", "&"));
  expect(props.children).toBe(`${address.slice(0, 200)}…`);
  expect(imageOf(address, "a picture").props).toMatchObject({ href: props.href, children: "Image: a picture" });
});

test("an image in its own address that may not be shown is cut", () => {
  const { props } = imageOf(`data:image/svg+xml;base64,${"A".repeat(100_000)}`);
  expect(props.href).toHaveLength(201);
  expect(props.children).toBe(props.href);
});
