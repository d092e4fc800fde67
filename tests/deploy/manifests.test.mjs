// The manifests: by Kubernetes' schemas, by what a sandbox must not have, and whether their parts fit each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf, manifests, pods } from "./files.mjs";
import { mistakesIn } from "./schemas.mjs";

const all = manifests();
const one = (kind) => all.find(({ document }) => document.kind === kind).document;
const copyOf = (document) => structuredClone(document);

test("every manifest is what Kubernetes' schemas ask for, and has no other field", () => {
  assert.ok(all.length >= 6, `${all.length} documents`);
  assert.deepEqual(mistakesIn(all.map(({ document }) => document)), []);
});

test("a field that does not exist, a wrong word and a wrong type are noticed, at any depth and in each kind", () => {
  const breakages = [
    ["Pod", ({ spec }) => (spec.containers[0].livenessProbe.failureTreshold = 3), /failureTreshold/],
    ["Pod", ({ spec }) => (spec.restartPolicy = "Sometimes"), /restartPolicy/],
    ["Pod", ({ spec }) => (spec.containers[0].livenessProbe.periodSeconds = 1.5), /periodSeconds/],
    ["StatefulSet", ({ spec }) => delete spec.selector, /selector/],
    ["NetworkPolicy", ({ spec }) => (spec.egres = []), /egres/],
    ["Service", ({ spec }) => (spec.ports[0].port = "2468"), /port/],
    ["Sandbox", ({ spec }) => (spec.podTemplate.spec.hostNetwrk = true), /hostNetwrk/],
    ["Sandbox", ({ spec }) => (spec.replicas = 2), /replicas/],
    ["Kustomization", (document) => (document.resource = []), /resource/],
  ];
  const broken = breakages.map(([kind, spoil]) => {
    const document = copyOf(one(kind));
    spoil(document);
    return document;
  });
  const mistakes = mistakesIn(broken);
  for (const [kind, , expected] of breakages)
    assert.ok(mistakes.some((text) => text.startsWith(`${kind}: `) && expected.test(text)), `${kind} ${expected}:\n${mistakes.join("\n")}`);
});

test("every pod keeps to the restricted profile, with a root that is read-only and no token of the cluster", () => {
  assert.equal(pods().length, 3);
  for (const { file, spec } of pods()) {
    assert.equal(spec.automountServiceAccountToken, false, file);
    assert.equal(spec.enableServiceLinks, false, `${file}: a Service called sandbox-agent would set SANDBOX_AGENT_PORT`);
    assert.equal(spec.securityContext.runAsNonRoot, true, file);
    assert.ok(spec.securityContext.runAsUser > 0, file);
    assert.equal(spec.securityContext.seccompProfile.type, "RuntimeDefault", file);
    for (const word of ["hostNetwork", "hostPID", "hostIPC"]) assert.ok(!spec[word], `${file}: ${word}`);
    for (const container of [...spec.initContainers, ...spec.containers]) {
      const { securityContext, resources, name } = container;
      assert.deepEqual(securityContext.capabilities, { drop: ["ALL"] }, `${file}: ${name}`);
      assert.equal(securityContext.allowPrivilegeEscalation, false, `${file}: ${name}`);
      assert.equal(securityContext.readOnlyRootFilesystem, true, `${file}: ${name}`);
      assert.ok(!securityContext.privileged, `${file}: ${name}`);
      assert.ok(resources.limits.memory && resources.requests.cpu, `${file}: ${name}`);
    }
  }
});

test("what is mounted is there, and no volume of the host is", () => {
  for (const { file, spec, claims } of pods()) {
    for (const volume of spec.volumes) assert.ok(volume.emptyDir?.sizeLimit || volume.secret, `${file}: ${volume.name}`);
    const names = [...spec.volumes.map(({ name }) => name), ...claims];
    for (const { volumeMounts } of [...spec.initContainers, ...spec.containers])
      for (const { name } of volumeMounts) assert.ok(names.includes(name), `${file}: ${name}`);
  }
});

test("all three ways to make a sandbox run the same container, but for the names it answers to", () => {
  const [first, ...rest] = pods().map(({ spec }) => {
    const { containers: [container], initContainers, securityContext, terminationGracePeriodSeconds } = copyOf(spec);
    container.args = container.args.filter((word) => !word.startsWith("--allow-host=$(POD_NAME)"));
    return { container, initContainers, securityContext, terminationGracePeriodSeconds };
  });
  for (const other of rest) assert.deepEqual(other, first);
});

test("selectors, ports, names and files fit each other", () => {
  const service = one("Service").spec;
  const policy = one("NetworkPolicy").spec;
  const set = one("StatefulSet");
  const port = one("Pod").spec.containers[0].ports[0];
  assert.deepEqual(set.spec.selector.matchLabels, set.spec.template.metadata.labels);
  for (const { file, labels } of pods()) {
    assert.deepEqual(labels, service.selector, file);
    assert.deepEqual(labels, policy.podSelector.matchLabels, file);
  }
  assert.equal(port.containerPort, 2468);
  assert.equal(service.ports[0].port, port.containerPort);
  assert.equal(service.ports[0].targetPort, port.name);
  assert.equal(policy.ingress[0].ports[0].port, port.name);
  assert.equal(set.spec.serviceName, one("Service").metadata.name);
  assert.equal(one("Pod").spec.subdomain, one("Service").metadata.name);
  const { resources, images } = one("Kustomization");
  for (const file of resources) assert.ok(filesOf("kubernetes").includes(file), file);
  for (const { file, spec } of pods())
    for (const { image } of [...spec.initContainers, ...spec.containers]) assert.equal(image, images[0].name, file);
});
