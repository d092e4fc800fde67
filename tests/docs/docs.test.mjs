// The documentation of this repository: every snippet runs, every link leads somewhere.
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkDocument, documents } from "./document.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));

for (const name of documents(repository))
  test(name, async (t) => {
    await checkDocument(repository, name, (sentence, body) => t.test(sentence, (step) => body({ skip: (why) => step.skip(why) })));
  });
