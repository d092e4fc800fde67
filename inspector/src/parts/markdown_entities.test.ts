import { expect, test } from "vitest";
import { decodeEntities } from "./markdown_entities.js";

test.each([
  ["a &amp; b &lt;c&gt;", "a & b <c>"],
  ["&#8212;&#x2014;", "——"],
  ["&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"],
  ["&nothing; & &amp", "&nothing; & &amp"],
  ["&constructor;", "&constructor;"],
  ["&amp;lt;", "&lt;"],
])("%s is %s", (text, decoded) => expect(decodeEntities(text)).toBe(decoded));
