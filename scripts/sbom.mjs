// What lies in a binary besides our own code: a CycloneDX document, and the notices that licences ask for. Nothing is listed by hand:
// archives are those of the linker's map, headers those that ninja noted for the objects, both with the Debian package they came with;
// npm packages are those of which Vite put something into the inspector. Only what a licence is called is a table, because Debian's
// copyright files name every licence of a source package; a row holds only as long as that file says so, and an unknown package fails.
// The same tree gives the same bytes. SOURCE_DATE_EPOCH: the time it tells.
// usage: node scripts/sbom.mjs <version> <tree> <binary> <document> <notices> [sysroot]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundledPackages } from "./inspector-packages.mjs";

// By Debian source package. `says`: words of its copyright file. `silent`: asks for no notice with a program, or nothing of it is in there.
const licences = {
  "boost1.81": { licence: "BSL-1.0", says: "License: BSL-1.0", silent: true }, // "machine-executable object code" is exempt
  bzip2: { licence: "bzip2-1.0.6", says: "License: BSD-variant" },
  fmtlib: { licence: "MIT", says: "License: Expat with embedded exception" },
  "gcc-12": { licence: "GPL-3.0-or-later WITH GCC-exception-3.1", says: "GCC Runtime Library Exception" },
  glibc: { licence: "LGPL-2.1-or-later", says: "GNU Lesser General Public" },
  libarchive: { licence: "BSD-2-Clause", says: "License: BSD-2-clause" },
  libzstd: { licence: "BSD-3-Clause OR GPL-2.0-only", says: "License: BSD-3-clause or GPL-2" },
  linux: { licence: "GPL-2.0-only WITH Linux-syscall-note", says: "License: GPL-2", silent: true }, // declarations only
  "llvm-toolchain-19": { licence: "Apache-2.0 WITH LLVM-exception", says: "APACHE-2-LLVM-EXCEPTIONS", silent: true },
  openssl: { licence: "Apache-2.0", says: "License: Apache-2.0" },
  zlib: { licence: "Zlib", says: "License: Zlib" },
};

const [version, tree, binary, document, noticesFile, sysroot = ""] = process.argv.slice(2);
const read = (file) => readFileSync(file, "utf8");
const run = (program, ...words) => execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
const lines = (text) => text.split("\n").filter(Boolean);
const byName = (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name));

// Objects and archives of which the linker took something.
function linkedFiles() {
  const found = read(path.join(tree, "sandbox-agent.map")).matchAll(/ (\/\S+?[.][ao])(?:\(\S*\))?:\(/g);
  return [...new Set([...found].map(([, file]) => file))];
}

// System headers of our own objects.
function headers() {
  const found = new Set();
  let isOurs = false;
  for (const line of lines(run("ninja", "-C", tree, "-t", "deps"))) {
    if (!line.startsWith(" ")) isOurs = /^CMakeFiles\/sandbox(_agent_core|-agent)[.]dir\//.test(line);
    else if (isOurs) found.add(path.resolve(tree, line.trim()));
  }
  return [...found].filter((file) => !file.startsWith(process.cwd() + path.sep) || (sysroot && file.startsWith(path.resolve(sysroot))));
}

// [{name, version, source, sourceVersion, arch, copyright}] with `files` of theirs; a file of no package is an error.
function packagesOf(files) {
  const inSysroot = files.filter((file) => sysroot && file.startsWith(path.resolve(sysroot) + path.sep));
  const inSystem = files.filter((file) => !inSysroot.includes(file));
  const owner = new Map();
  if (inSysroot.length > 0) {
    const notes = path.join(sysroot, ".packages");
    for (const name of readdirSync(notes).filter((file) => file.endsWith(".files")))
      for (const file of lines(read(path.join(notes, name)))) owner.set(path.resolve(sysroot, `.${file}`), ["sysroot", name.replace(/[.]files$/, "")]);
  }
  if (inSystem.length > 0) {
    const real = new Map(inSystem.map((file) => [realpathSync(file), file]));
    for (const line of lines(run("dpkg-query", "--search", ...real.keys()))) {
      const [, names, file] = /^(\S+(?:, \S+)*): (.*)$/.exec(line) ?? [];
      if (names) owner.set(real.get(file), ["system", names.split(", ")[0]]);
    }
  }
  const homeless = files.filter((file) => !owner.has(file));
  if (homeless.length > 0) throw new Error(`of no Debian package: ${homeless.slice(0, 5).join(", ")}`);
  const packages = new Map();
  for (const file of files) {
    const key = owner.get(file).join(" ");
    if (!packages.has(key)) packages.set(key, describe(...owner.get(file)));
  }
  return packages;
}

function describe(where, name) {
  const form = "${Package}\t${Version}\t${source:Package}\t${Architecture}\n";
  const text = where === "system" ? run("dpkg-query", "--show", `--showformat=${form}`, name) : read(path.join(sysroot, ".packages", `${name}.package`));
  const [own, its, source, arch] = text.trim().split("\t");
  const places = [...(where === "sysroot" ? [sysroot] : []), "/"].map((root) => path.join(root, "usr/share/doc", own, "copyright"));
  const copyright = read(places.find((file) => existsSync(file)));
  const row = licences[source];
  if (!row) throw new Error(`${own} (source ${source}) is new: give its licence in scripts/sbom.mjs`);
  if (!copyright.includes(row.says)) throw new Error(`the copyright file of ${own} does not say "${row.says}": correct the row of ${source} in scripts/sbom.mjs`);
  return { name: own, version: its, source, arch, copyright, ...row };
}

function debianComponents() {
  const linked = packagesOf(linkedFiles());
  const all = new Map([...packagesOf(headers()), ...linked]);
  return [...all].map(([key, { name, version: its, source, arch, licence }]) => ({
    type: "library",
    "bom-ref": `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(its)}?arch=${arch}`,
    name,
    version: its,
    licenses: [{ expression: licence }],
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(its)}?arch=${arch}`,
    properties: [{ name: "debian:source", value: source }, { name: "use", value: linked.has(key) ? "linked" : "headers" }],
  })).sort(byName);
}

const npmComponents = (packages) =>
  packages.map(({ name, version: its, license }) => ({
    type: "library",
    "bom-ref": `pkg:npm/${name.replace("@", "%40")}@${its}`,
    name,
    version: its,
    licenses: [{ expression: license }],
    purl: `pkg:npm/${name.replace("@", "%40")}@${its}`,
    properties: [{ name: "use", value: "inspector" }],
  }));

function notices(npm) {
  const debian = [...new Map([...packagesOf(linkedFiles()), ...packagesOf(headers())].map(([, one]) => [one.source, one])).values()];
  const parts = debian.filter(({ silent }) => !silent).sort((a, b) => (a.source < b.source ? -1 : 1))
    .map(({ source, licence, copyright }) => [`${source} (${licence})`, copyright])
    .concat(npm.map(({ name, license, text }) => [`${name} (${license}), in the inspector`, text]));
  const rule = "=".repeat(100);
  const head = "This program contains the following works of others. Their licences, as they came with them:";
  return [head, ...parts.map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text.trim()}`)].join("\n\n") + "\n";
}

const npm = await bundledPackages();
const components = [...debianComponents(), ...npmComponents(npm)];
const self = `pkg:generic/sandbox-agent@${version}`;
const content = {
  metadata: {
    timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString().replace(".000", ""),
    component: {
      type: "application",
      "bom-ref": self,
      name: path.basename(binary),
      version,
      hashes: [{ alg: "SHA-256", content: createHash("sha256").update(readFileSync(binary)).digest("hex") }],
      licenses: [{ expression: "Apache-2.0" }],
    },
  },
  components,
  dependencies: [{ ref: self, dependsOn: components.map((one) => one["bom-ref"]) }],
};
// A name for the document that follows from what it says.
const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-8$3-8$4-$5");
writeFileSync(document, `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.5", serialNumber: `urn:uuid:${uuid}`, version: 1, ...content }, null, 2)}\n`);
writeFileSync(noticesFile, notices(npm));
console.log(`${document}: ${components.length} parts`);
