import { expect, test } from "vitest";
import { imageSize, imageUrl } from "./image_url.js";

test("only images that cannot do anything have an address", () => {
  expect(imageUrl("image/png", "AAAA")).toBe("data:image/png;base64,AAAA");
  expect(imageUrl("IMAGE/JPG", "AAAA")).toBe("data:image/jpeg;base64,AAAA");
  expect(imageUrl("image/svg+xml", "AAAA")).toBeUndefined();
  expect(imageUrl("text/html", "AAAA")).toBeUndefined();
});

test("the size is that of the bytes, not of the text", () => {
  expect(imageSize("AAAA")).toBe("3 bytes");
  expect(imageSize("AA==")).toBe("1 byte");
  expect(imageSize("A".repeat(4000))).toBe("3.0 kB");
  expect(imageSize("A".repeat(4_000_000))).toBe("3.0 MB");
});
