import { expect, test } from "vitest";
import type { Attachment } from "./attachment.js";
import {
  commandsFor,
  composerAfter,
  emptyComposer,
  isEmpty,
  nextQueued,
  writtenIn,
  type Composer,
  type ComposerNews,
} from "./composer.js";

const after = (...news: ComposerNews[]) => news.reduce(composerAfter, emptyComposer);
const typed = (text: string): ComposerNews => ({ type: "typed", text });
const queued: ComposerNews = { type: "queued" };

test("what is queued leaves the draft, in order", () => {
  const { draft, queue } = after(typed("one"), queued, typed("two"), queued, typed("three"));
  expect(draft).toBe("three");
  expect(queue.map(({ text }) => text)).toEqual(["one", "two"]);
});

test("nothing is not queued", () => {
  expect(after(typed(" \n"), queued)).toEqual({ ...emptyComposer, draft: " \n" });
});

test("a queued message can be removed, and one that is gone changes nothing", () => {
  const composer = after(typed("one"), queued, typed("two"), queued, { type: "took", id: 1 });
  expect(composer.queue.map(({ text }) => text)).toEqual(["two"]);
  expect(composerAfter(composer, { type: "took", id: 1 })).toEqual(composer);
  expect(composerAfter(composer, { type: "edit", id: 1 })).toEqual(composer);
});

test("numbers of queued messages are not used again", () => {
  const { queue } = after(typed("one"), queued, { type: "took", id: 1 }, typed("two"), queued);
  expect(queue).toEqual([{ id: 2, text: "two" }]);
});

const edit = (id: number): ComposerNews => ({ type: "edit", id });
const texts = ({ queue }: Composer) => queue.map(({ text }) => text);
const two = [typed("one"), queued, typed("two"), queued] as const;

test("a queued message that is edited keeps its place, and what was being written comes back", () => {
  const editing = after(...two, typed("half a sen"), edit(1));
  expect([editing.draft, texts(editing)]).toEqual(["one", ["one", "two"]]);
  const edited = [typed("ONE"), queued].reduce(composerAfter, editing);
  expect([edited.draft, texts(edited), edited.editing]).toEqual(["half a sen", ["ONE", "two"], undefined]);
});

test("a message that is being edited is not sent, nor what is behind it", () => {
  expect(nextQueued(after(...two, edit(1)))).toBeUndefined();
  expect(nextQueued(after(...two, edit(2)))?.text).toBe("one");
  expect(nextQueued(after(...two, { type: "hold" }))).toBeUndefined();
  expect(nextQueued(undefined)).toBeUndefined();
});

test("editing can be left, changed to another message, and ends when the message is removed", () => {
  const left = after(...two, typed("mine"), edit(1), typed("x"), { type: "left editing" });
  expect([left.draft, texts(left)]).toEqual(["mine", ["one", "two"]]);
  const other = after(...two, typed("mine"), edit(1), typed("x"), edit(2));
  expect([other.draft, texts(other), other.editing?.before.text]).toEqual(["two", ["x", "two"], "mine"]);
  const removed = after(...two, typed("mine"), edit(1), { type: "took", id: 1 });
  expect([removed.draft, texts(removed), removed.editing]).toEqual(["mine", ["two"], undefined]);
});

const picture: Attachment = { name: "a.png", mimeType: "image/png", size: 3, kind: "image", data: "AAAA" };
const mention = (path: string) => ({ path, uri: `file:///project/${path}` });

test("attachments and mentions go with their message: into the queue, to the agent, and back", () => {
  const composer = after(
    { type: "mentioned", text: "see @a.ts ", mention: mention("a.ts") },
    { type: "attached", attachment: picture },
    queued,
  );
  expect([composer.draft, composer.attachments, composer.mentions]).toEqual(["", undefined, undefined]);
  const [message] = composer.queue;
  expect(message).toEqual({ id: 1, text: "see @a.ts ", mentions: [mention("a.ts")], attachments: [picture] });
  const back = composerAfter(after(typed("more")), { type: "put back", written: message! });
  expect(writtenIn(back)).toEqual({ text: "see @a.ts \nmore", mentions: [mention("a.ts")], attachments: [picture] });
});

test("a file that the text does not name any more is not mentioned", () => {
  const composer = after({ type: "mentioned", text: "@a.ts ", mention: mention("a.ts") }, typed("never mind"));
  expect(writtenIn(composer)).toEqual({ text: "never mind" });
});

test("a picture without words is a message; removed it is none", () => {
  const composer = after({ type: "attached", attachment: picture });
  expect(isEmpty(composer)).toBe(false);
  expect(isEmpty(composerAfter(composer, { type: "detached", at: 0 }))).toBe(true);
  expect(composerAfter(composer, { type: "sent" })).toEqual(emptyComposer);
});

test("a message that could not be sent comes back, and nothing that was written since is lost", () => {
  expect(after(typed("one"), { type: "sent" })).toEqual(emptyComposer);
  expect(after(typed("one"), { type: "sent" }, { type: "put back", written: { text: "one" } }).draft).toBe("one");
  expect(after({ type: "sent" }, typed("two"), { type: "put back", written: { text: "one" } }).draft).toBe("one\ntwo");
});

const commands = ["plan", "Permission", "slow"].map((name) => ({ name, description: "" }));
test.each([
  ["", []],
  ["plan", []],
  ["/", ["plan", "Permission", "slow"]],
  ["/p", ["plan", "Permission"]],
  ["/PERM", ["Permission"]],
  ["/plan", ["plan"]],
  ["/plan ", []],
  ["/plan a trip", []],
  ["see /pl", []],
  ["/x", []],
  ["/p\n", []],
])("the draft %j offers %j", (draft, names) => {
  expect(commandsFor(draft, commands).map(({ name }) => name)).toEqual(names);
});

const mentioning = (draft: string, ...paths: string[]) =>
  writtenIn({
    ...emptyComposer,
    draft,
    mentions: paths.map((path) => ({ path, uri: `file:///project/${path}` })),
  }).mentions?.map(({ path }) => path);

test.each([
  ["look at @src/app.ts", ["src/app", "src/app.ts"], ["src/app.ts"]],
  ["look at @src/app-old and @src/app/x", ["src/app"], undefined],
  ["(@src/app), @b.ts. @c's \u201c@d\u201d @e\n", ["src/app", "b.ts", "c", "d", "e"], ["src/app", "b.ts", "c", "d", "e"]],
  ["@needle file.ts", ["needle", "needle file.ts"], ["needle file.ts"]],
  ["@a.ts and @a", ["a", "a.ts"], ["a", "a.ts"]],
])("%j mentions only what it names as a whole", (draft, paths, named) => {
  expect(mentioning(draft, ...paths)).toEqual(named);
});
