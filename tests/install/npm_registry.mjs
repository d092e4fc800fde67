// An npm registry of our own: packages made in the test, served as the npm program wants them.
import { createHash } from "node:crypto";
import { tarGz } from "./archives.mjs";
import { bytes, json, startServer } from "./registry_server.mjs";

// {name, version, files: {path: text}, bin?, dependencies?, scripts?, engines?}; programs named in `bin` are executable.
export function packageTarball({ files = {}, ...manifest }) {
  const programs = new Set(Object.values(manifest.bin ?? {}));
  const all = { "package.json": JSON.stringify(manifest), ...files };
  return tarGz(
    Object.entries(all).map(([name, body]) => ({ name: `package/${name}`, body, mode: programs.has(name) ? 0o755 : 0o644 })),
  );
}

export async function startNpmRegistry() {
  const server = await startServer();
  const published = new Map();

  // `serve` turns the tarball into an answer; another one than bytes() misbehaves. `versions`: more that are said to be there,
  // with the same tarball.
  function publish(parts, { serve = bytes, integrity, versions = [] } = {}) {
    const { name, version } = parts;
    const { files, ...manifest } = parts;
    const tarball = packageTarball(parts);
    const at = `/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
    const hash = (kind, form) => createHash(kind).update(tarball).digest(form);
    const dist = {
      tarball: server.url + at,
      integrity: integrity ?? `sha512-${hash("sha512", "base64")}`,
      shasum: integrity ? undefined : hash("sha1", "hex"),
    };
    const known = published.get(name) ?? { name, "dist-tags": {}, versions: {} };
    const more = { dist, ...(manifest.scripts ? { hasInstallScript: true } : {}) };
    for (const one of [...versions, version]) known.versions[one] = { ...manifest, version: one, ...more };
    known["dist-tags"].latest = version;
    published.set(name, known);
    server.put(`/${name}`, json(known));
    server.put(at, serve(tarball));
    return { path: at, tarball, packument: Buffer.from(JSON.stringify(known)) };
  }

  return Object.assign(server, { publish });
}
