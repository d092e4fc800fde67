// The TypeScript programs of a document: checked by the compiler, all at once, and written as files that Node runs.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { withPort } from "./snippet_shell.mjs";

// What a program may import; and what the compiler reads.
const packages = ["sandbox-agent", "acp-http-client", "@agentclientprotocol/sdk", "@types/node"];

const language = { target: ts.ScriptTarget.ES2022, moduleDetection: ts.ModuleDetectionKind.Force };
const modules = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const strictness = { strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true };
const libraries = ["es2023", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"].map((name) => `lib.${name}.d.ts`);

// What the compiler has against a block, by its name: Map. `blocks`: all of the document, in its order; those of TypeScript are
// taken. Each program lies in the folder afterwards, as `<name>.mts` and `<name>.mjs`.
export function preparePrograms(repository, folder, port, blocks) {
  const objections = new Map();
  const programs = blocks.filter(({ language }) => language === "ts");
  if (programs.length === 0) return objections;
  const unbuilt = packages.slice(0, 2).filter((name) => !existsSync(path.join(repository, "sdk", name, "dist/index.js")));
  if (unbuilt.length > 0) throw new Error(`${unbuilt.join(" and ")} must be built first: run make sdk`);
  linkPackages(repository, folder);

  let last; // the program that a fragment continues
  const files = new Map();
  for (const block of programs) {
    const file = path.join(folder, `${block.name}.mts`);
    const text = block.fragment ? fragmentText(block, last) : linesAt(block);
    writeFileSync(file, withPort(text, port));
    files.set(file, block.name);
    if (block.fragment) continue;
    last = block;
    writeFileSync(path.join(folder, `${block.name}.mjs`), transpiled(withPort(text, port), file));
  }
  for (const [name, complaints] of typeErrors(folder, files)) objections.set(name, complaints.join("\n"));
  return objections;
}

function linkPackages(repository, folder) {
  for (const name of packages) {
    const link = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(repository, "node_modules", name), link);
  }
}

// The text with the line numbers it has in the document.
const linesAt = ({ line, text }) => "\n".repeat(line) + text + "\n";

// A fragment without imports is a block at the end of the program above it.
function fragmentText(fragment, program) {
  if (!program || /^\s*import\b/m.test(fragment.text)) return linesAt(fragment);
  const before = linesAt(program);
  return before + "\n".repeat(fragment.line - before.split("\n").length) + `{\n${fragment.text}\n}\n`;
}

// Node 20 does not know `await using`; the compiler does.
function transpiled(text, file) {
  const compilerOptions = { ...language, module: ts.ModuleKind.ESNext, inlineSourceMap: true };
  return ts.transpileModule(text, { compilerOptions, fileName: path.basename(file) }).outputText;
}

const known = new Map(); // files of the packages and the language; they are the same for every document

// Complaints by name: Map of lists. `files`: Map of file to name.
function typeErrors(folder, files) {
  const typeRoots = [path.join(folder, "node_modules/@types")];
  const options = { ...language, ...modules, ...strictness, lib: libraries, types: ["node"], typeRoots };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (file, ...rest) => {
    if (files.has(file)) return read(file, ...rest);
    if (!known.has(file)) known.set(file, read(file, ...rest));
    return known.get(file);
  };
  const complaints = new Map();
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))) {
    const text = ts.flattenDiagnosticMessageText(messageText, "\n");
    const name = files.get(file?.fileName);
    if (!name) throw new Error(`the compiler complains about ${file?.fileName ?? "its options"}: ${text}`);
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    complaints.set(name, [...(complaints.get(name) ?? []), `line ${line}: ${text}`]);
  }
  return complaints;
}
