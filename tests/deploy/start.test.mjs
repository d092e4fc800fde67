// The daemon in each of the places that deploy/ describes, with exactly those arguments and variables, on a root that is read-only.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { nodeAgent } from "../install/test_agents.mjs";
import { address, debianRoot, emptyRoot, makeFolder, obstacle, runConfined, startConfined, volume } from "./confined.mjs";
import { containerOf, deploy, expanded, pods, serviceOf, textOf } from "./files.mjs";

const skip = obstacle() || false;
const token = "deploy-token-0123456789";
const initialize = { method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };
const url = (port) => `http://${address}:${port}`;

// A file with the token that the user's group may read.
function tokenFile(folder) {
  const file = path.join(folder, "token");
  writeFileSync(file, `${token}\n`);
  chownSync(file, 0, 65532);
  chmodSync(file, 0o440);
  return file;
}

// An agent on Node.js, installed in a home. A deaf one heeds neither SIGTERM nor the end of its input.
function installAgent(home, { deaf = false } = {}) {
  const before = deaf ? 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);' : "";
  const launchers = path.join(home, ".local/share/sandbox-agent/bin/agent_processes");
  const tree = path.join(launchers, "pi.d/1.0.0-test");
  mkdirSync(tree, { recursive: true });
  writeFileSync(path.join(tree, "agent.js"), nodeAgent("1.0.0", { before }), { mode: 0o755 });
  symlinkSync("pi.d/1.0.0-test/agent.js", path.join(launchers, "pi-acp"));
  execFileSync("chown", ["--recursive", "--no-dereference", "65532:65532", home]);
}

// What everybody may expect of a daemon that was deployed.
function checkTalk(daemon, port, agent) {
  assert.deepEqual(daemon.ask(`${url(port)}/healthz`), { status: 200, body: "ok" }, "as the kubelet asks: its address, no token");
  assert.equal(daemon.ask(`${url(port)}/v1/health`).status, 401);
  assert.equal(daemon.ask(`${url(port)}/v1/health`, { token }).status, 200);
  const { status, body } = daemon.ask(`${url(port)}/v1/acp/one?agent=${agent}`, { method: "POST", token, message: initialize });
  assert.equal(status, 200, body);
  assert.ok(JSON.parse(body).result.agentInfo, body);
}

for (const [file, makeRoot, agent] of [["Containerfile", emptyRoot, "mock"], ["Containerfile.agents", debianRoot, "pi"]])
  test(`a container of ${file} answers, is healthy, and ends`, { skip }, async (t) => {
    const folder = makeFolder(t);
    const container = containerOf(textOf("container", file));
    const [root, binds] = makeRoot(folder, container.command[0]);
    const home = path.join(root, container.environment.HOME);
    cpSync(path.join(deploy, "container/root"), root, { recursive: true });
    installAgent(home);
    const place = {
      root,
      user: container.user,
      directory: container.directory,
      binds: [...binds, [volume(folder, "home", { content: home }), container.environment.HOME, "rw"]],
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin", ...container.environment, SANDBOX_AGENT_TOKEN: token },
      command: container.command,
    };
    const daemon = await startConfined(t, place);
    checkTalk(daemon, container.port, agent);
    assert.equal(daemon.execute(container.health), 0);
    assert.equal((await daemon.stop(10_000)).how, 0);
    assert.doesNotMatch(daemon.words(), /warn|error/);
    assert.ok(!daemon.words().includes(token));
  });

test("without a token the daemon of a container makes one and does not let strangers in", { skip }, async (t) => {
  const folder = makeFolder(t);
  const { environment, command, user, port } = containerOf(textOf("container", "Containerfile.agents"));
  const [root, binds] = debianRoot(folder);
  const home = [volume(folder, "home"), environment.HOME, "rw"];
  const daemon = await startConfined(t, { root, user, directory: "/", binds: [...binds, home], environment: { PATH: "/usr/local/bin", ...environment }, command });
  assert.match(daemon.words(), /token +generated/);
  assert.equal(daemon.ask(`${url(port)}/v1/health`).status, 401);
});

for (const { file, name, spec, claims } of pods()) {
  const [container] = spec.containers;
  const [init] = spec.initContainers;
  const user = `${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`;
  const variables = { POD_NAME: name, POD_NAMESPACE: "fleet", POD_IP: address };
  const hosts = container.args.filter((word) => word.startsWith("--allow-host=")).map((word) => expanded(word.split("=")[1], variables));

  // The place of a container of this pod. The image brings its variables; those of the pod come after them.
  function placeOf(folder, [root, binds], { volumeMounts, workingDir = "/", env = [] }, command) {
    const image = containerOf(textOf("container", "Containerfile.agents"));
    const given = env.map(({ name, value }) => [name, value ?? variables[name]]);
    const mounts = volumeMounts.map(({ name, mountPath, subPathExpr, readOnly }) => {
      const source = path.join(folder, "volumes", name, expanded(subPathExpr ?? "", variables));
      return [source, mountPath, readOnly ? "ro" : "rw"];
    });
    const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", ...image.environment, ...Object.fromEntries(given) };
    return { root, user, directory: workingDir, binds: [...binds, ...mounts], environment, command };
  }

  test(`the pod of ${file} answers its probes, its names and its agents, and ends in time`, { skip }, async (t) => {
    const folder = makeFolder(t);
    const image = debianRoot(folder);
    installAgent(path.join(image[0], "home/agent"), { deaf: true });
    for (const { name } of [...spec.volumes.filter(({ emptyDir }) => emptyDir), ...claims.map((name) => ({ name }))])
      volume(folder, `volumes/${name}`);
    cpSync(tokenFile(folder), path.join(volume(folder, "volumes/tokens"), name));
    chownSync(path.join(folder, "volumes/tokens", name), 0, 65532);

    for (const _ of ["when the pod is made", "when its node comes back"]) runConfined(placeOf(folder, image, init, init.command));
    rmSync(path.join(image[0], "home"), { recursive: true }); // what runs now can only come from the volume
    const { command } = containerOf(textOf("container", "Containerfile.agents"));
    const words = [command[0], ...container.args.map((word) => expanded(word, variables))];
    const daemon = await startConfined(t, placeOf(folder, image, container, words));

    const { port, path: target } = container.startupProbe.httpGet;
    const number = container.ports.find((one) => one.name === port).containerPort;
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"])
      assert.deepEqual(container[probe].httpGet, { path: target, port }, probe);
    assert.deepEqual(daemon.ask(`${url(number)}${target}`), { status: 200, body: "ok" });
    checkTalk(daemon, number, "pi");
    for (const host of [...hosts, "localhost"]) assert.equal(daemon.ask(`${url(number)}/v1/health`, { token, host: `${host}:${number}` }).status, 200, host);
    assert.equal(daemon.ask(`${url(number)}/v1/health`, { token, host: "elsewhere.example" }).status, 403);

    const written = daemon.ask(`${url(number)}/v1/fs/file?path=note.txt`, { method: "PUT", token });
    assert.equal(written.status, 200, written.body);
    assert.equal(daemon.ask(`${url(number)}/v1/fs/file?path=/etc/note.txt`, { method: "PUT", token }).status, 403);

    for (const { mountPath, readOnly } of container.volumeMounts)
      if (!readOnly) assert.equal(daemon.execute(["/usr/bin/touch", `${mountPath}/mark`]), 0, mountPath);
    for (const place of ["/", "/etc", "/usr/local/bin"]) assert.equal(daemon.execute(["/usr/bin/touch", `${place}/mark`]), 1, place);
    assert.doesNotMatch(daemon.words(), /warn|error/);

    const limit = spec.terminationGracePeriodSeconds * 1000;
    const times = [];
    for (let ending = daemon; ; ending = await startConfined(t, placeOf(folder, image, container, words))) {
      if (times.length > 0) checkTalk(ending, number, "pi"); // others use the machine too: once more, with an agent again
      const { how, milliseconds } = await ending.stop(limit);
      times.push(milliseconds);
      assert.equal(how, 0);
      assert.ok(milliseconds > 1000, `a deaf agent is given time, not ${milliseconds} ms`);
      if (milliseconds < 3000 || times.length === 3) break;
    }
    assert.ok(times.at(-1) < 3000, `it took ${times} ms, and the manifests promise 3 s`);
  });
}

test("variables of a Service called sandbox-agent would keep the daemon from starting: so the pods switch them off", { skip }, async (t) => {
  const folder = makeFolder(t);
  const [root, binds] = emptyRoot(folder, "/sandbox-agent");
  const environment = { SANDBOX_AGENT_PORT: "tcp://10.96.0.7:2468" };
  const start = startConfined(t, { root, user: "65532:65532", directory: "/", binds, environment, command: ["/sandbox-agent", "server"] });
  await assert.rejects(start, /SANDBOX_AGENT_PORT/);
});

for (const [file, instance, port] of [["sandbox-agent.service", "", 2468], ["sandbox-agent@.service", "2501", 2501]])
  test(`the command line of ${file} runs an agent on Node.js and ends`, { skip }, async (t) => {
    const folder = makeFolder(t);
    const [root, binds] = debianRoot(folder);
    const credentials = "/run/credentials/unit";
    const service = serviceOf(textOf("systemd", file), { d: credentials, S: "/var/lib", i: instance });
    const states = service.get("StateDirectory")[0].split(" ");
    const kept = { user: 65532, mode: 0o700 };
    const state = volume(folder, states[0], kept);
    for (const name of states.slice(1)) volume(folder, name, kept);
    installAgent(state);
    const environment = Object.fromEntries(service.get("Environment").map((text) => text.split("=")));
    assert.equal(service.get("LoadCredential")[0].split(":")[0], "token");
    const places = [[state, `/var/lib/${states[0]}`, "rw"], [volume(folder, "tmp", kept), "/tmp", "rw"], [tokenFile(folder), `${credentials}/token`, "ro"]];
    const daemon = await startConfined(t, {
      root,
      user: "65532:65532",
      directory: service.get("WorkingDirectory")[0],
      binds: [...binds, ...places],
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin", ...environment },
      command: service.get("ExecStart")[0].split(" "),
    });
    const local = `http://127.0.0.1:${port}`;
    assert.deepEqual(daemon.ask(`${local}/healthz`), { status: 200, body: "ok" });
    assert.equal(daemon.ask(`${local}/v1/acp/one?agent=pi`, { method: "POST", token, message: initialize }).status, 200);
    const limit = Number.parseInt(service.get("TimeoutStopSec")[0], 10) * 1000;
    assert.equal((await daemon.stop(limit)).how, 0);
    assert.doesNotMatch(daemon.words(), /warn|error/);
  });
