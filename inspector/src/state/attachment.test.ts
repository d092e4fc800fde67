import { expect, test } from "vitest";
import { attachableAs, mostOfPicture, mostOfText } from "./attachment.js";
import { promptOf } from "./attachment_prompt.js";

const all = { image: true, embeddedContext: true };
const nothing = { image: false, embeddedContext: false };
const file = (name: string, type: string, size = 10) => ({ name, type, size });
const whyOf = (...args: Parameters<typeof attachableAs>) => {
  const answer = attachableAs(...args);
  return typeof answer === "string" ? "" : answer.why;
};

test("a picture is one if the agent takes pictures, everything else may be a text", () => {
  expect(attachableAs(file("a.png", "image/png"), all)).toBe("image");
  expect(attachableAs(file("a.svg", "image/svg+xml"), all)).toBe("text");
  expect(attachableAs(file("a.rs", ""), all)).toBe("text");
});

test("what the agent does not take is refused with a reason and a way out", () => {
  expect(whyOf(file("a.png", "image/png"), nothing)).toMatch(/a\.png: this agent does not take pictures.*with @/);
  expect(whyOf(file("a.txt", "text/plain"), { ...nothing, image: true })).toMatch(/does not take files.*with @/);
  expect(whyOf(file("a.mp3", "audio/mpeg"), all)).toMatch(/a\.mp3: sound cannot be attached here yet\..*with @/);
});

test("what is too large says how large it is and may be", () => {
  expect(whyOf(file("a.png", "image/png", mostOfPicture + 1_000_000), all)).toMatch(/6 MB; a picture may have 5 MB/);
  expect(whyOf(file("a.txt", "", mostOfText + 500_000), all)).toMatch(/1\.5 MB; a text may have 1 MB/);
  expect(attachableAs(file("a.png", "image/png", mostOfPicture), all)).toBe("image");
});

test("a message is sent as words, links, pictures and texts", () => {
  const picture = { name: "a.png", mimeType: "image/png", size: 3, kind: "image", data: "AAAA" } as const;
  const text = { name: "my notes.txt", mimeType: "text/plain", size: 2, kind: "text", data: "hi" } as const;
  const mentions = [{ path: "src/a.ts", uri: "file:///project/src/a.ts" }];
  expect(promptOf({ text: "see @src/a.ts", mentions, attachments: [picture, text] })).toEqual([
    { type: "text", text: "see @src/a.ts" },
    { type: "resource_link", uri: "file:///project/src/a.ts", name: "src/a.ts" },
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "resource", resource: { uri: "attachment:my%20notes.txt", mimeType: "text/plain", text: "hi" } },
  ]);
  expect(promptOf({ text: " ", attachments: [picture] })).toEqual([{ type: "image", mimeType: "image/png", data: "AAAA" }]);
});
