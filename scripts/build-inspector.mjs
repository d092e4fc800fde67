// Packs the built page for the binary: every file compressed, one behind the other in ui_files.bin; ui_files.cc, the table of
// src/api/ui_files.h; and files.json, the same for people and scripts. The same page gives the same bytes.
// usage: node scripts/build-inspector.mjs <folder of the page> <folder for the results>
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const mediaTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

const [page, results] = process.argv.slice(2);

function mediaTypeOf(file) {
  const type = mediaTypes[path.extname(file)];
  if (type === undefined) throw new Error(`${file}: scripts/build-inspector.mjs does not know the media type of such files; add it.`);
  return type;
}

const entries = readdirSync(page, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = entries.map((entry) => path.relative(page, path.join(entry.parentPath ?? entry.path, entry.name))).sort();

const packed = names.map((name) => {
  const bytes = readFileSync(path.join(page, name));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const gzip = gzipSync(bytes, { level: 9, memLevel: 9 }); // its header carries no time
  // Vite puts a hash of the content into the names of what lies in assets/.
  return { name, mediaType: mediaTypeOf(name), hash, bytes: bytes.length, gzip, immutable: name.startsWith("assets/") };
});

let offset = 0;
const rows = packed.map(({ name, mediaType, hash, bytes, gzip, immutable }) => {
  const start = offset;
  offset += gzip.length;
  return `    {"${name}", "${mediaType}", R"("${hash}")", R"("${hash}-gzip")", bytes(${start}, ${gzip.length}), ${bytes}, ${immutable}},`;
});

const table = `// Made by scripts/build-inspector from the built page.
#include "api/ui_files.h"

__asm__(
    ".pushsection .rodata\\n"
    "ui_files_bytes:\\n"
    ".incbin \\"ui_files.bin\\"\\n"
    ".popsection\\n");
extern "C" const char ui_files_bytes[];

namespace sa {

std::span<const UiFile> ui_files() {
  const auto bytes = [](std::size_t start, std::size_t size) { return std::string_view(ui_files_bytes + start, size); };
  static const UiFile files[] = {
${rows.map((row) => `  ${row}`).join("\n")}
  };
  return files;
}

}  // namespace sa
`;

const list = packed.map(({ gzip, ...file }) => ({ ...file, gzipBytes: gzip.length }));
writeFileSync(path.join(results, "ui_files.bin"), Buffer.concat(packed.map(({ gzip }) => gzip)));
writeFileSync(path.join(results, "ui_files.cc"), table);
writeFileSync(path.join(results, "files.json"), `${JSON.stringify(list, null, 2)}\n`);
