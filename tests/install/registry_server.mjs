// A server on loopback for what the daemon downloads: registry documents, archives, npm packages. Each path has one answer, and
// some answers misbehave. Every request is kept, so that a test can say how many there were, or that there was none.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export async function startServer({ certificate } = {}) {
  const answers = new Map();
  const requests = [];
  const handle = (request, response) => {
    const wanted = decodeURIComponent(request.url.split("?")[0]);
    requests.push({ method: request.method, path: wanted, headers: request.headers });
    response.on("error", () => {});
    (answers.get(wanted) ?? status(404))(request, response);
  };
  const server = certificate ? https.createServer(certificate, handle) : http.createServer(handle);
  server.keepAliveTimeout = 0; // npm does not try again: what it keeps open must be there when it comes back late
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  return {
    port,
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    requests,
    count: (wanted) => requests.filter((request) => wanted === undefined || request.path === wanted).length,
    put(wanted, answer) {
      answers.set(wanted, answer);
      return `${this.url}${wanted}`;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

// A certificate, for localhost unless told, that is its own authority. `file` is what SSL_CERT_FILE names.
export function makeCertificate(folder, alternatives = "DNS:localhost,IP:127.0.0.1") {
  const [key, file] = ["server.key", "server.crt"].map((name) => path.join(folder, name));
  const names = ["-subj", "/CN=install tests", "-addext", `subjectAltName=${alternatives}`];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", key, "-out", file];
  execFileSync("openssl", ["req", "-x509", ...made, ...names], { stdio: ["ignore", "ignore", "pipe"] });
  return { key: readFileSync(key), cert: readFileSync(file), file };
}

export const bytes = (body, headers = {}) => (request, response) => {
  response.writeHead(200, { "content-length": Buffer.byteLength(body), ...headers });
  response.end(body);
};

export const json = (value) => bytes(JSON.stringify(value), { "content-type": "application/json" });

export const status = (code) => (request, response) => {
  response.writeHead(code, { "content-type": "text/plain" });
  response.end(`the answer is ${code}\n`);
};

export const redirect = (location, code = 302) => (request, response) => {
  response.writeHead(code, { location });
  response.end();
};

// Promises `missing` bytes more than it sends.
export const truncated = (body, missing = 1000) => (request, response) => {
  response.writeHead(200, { "content-length": body.length + missing });
  response.write(body, () => response.destroy());
};

// Never ends, and never says how long it is.
export const endless = () => (request, response) => {
  response.writeHead(200, {});
  const piece = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
};

// Sends each of these shares of the body (0 to 1) and then byte by byte until `noticed(share)`, however long that takes.
export const following = (body, shares, noticed) => async (request, response) => {
  response.writeHead(200, { "content-length": body.length });
  let at = 0;
  const sendTo = (end) => new Promise((resolve) => response.write(body.subarray(at, (at = end)), resolve));
  for (const share of shares) {
    await sendTo(Math.ceil(share * body.length));
    for (; !noticed(share) && !response.destroyed; await pause(10)) await sendTo(at + 1);
  }
  response.end(body.subarray(at));
};

// Sends `at` bytes (-1: not even the head) and waits. `reached`: the first request got there; release() lets all of them go on.
export function stalling(body, at = -1) {
  let reach, release;
  const reached = new Promise((resolve) => (reach = resolve));
  const released = new Promise((resolve) => (release = resolve));
  const answer = async (request, response) => {
    if (at >= 0) {
      response.writeHead(200, { "content-length": body.length });
      response.flushHeaders();
      if (at > 0) response.write(body.subarray(0, at));
    }
    reach();
    await released;
    if (response.destroyed) return;
    if (at < 0) response.writeHead(200, { "content-length": body.length });
    response.end(body.subarray(Math.max(at, 0)));
  };
  return Object.assign(answer, { reached, release });
}
