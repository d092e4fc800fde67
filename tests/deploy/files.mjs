// What the files under deploy/ say, as values. Reads files; starts nothing.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";

export const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));
export const filesOf = (folder) => readdirSync(path.join(deploy, folder)).filter((name) => !name.startsWith(".")).sort();
export const textOf = (...names) => readFileSync(path.join(deploy, ...names), "utf8");

// A Containerfile's instructions in order: [{name, rest}]. Lines that go on are one; comments are gone.
export function instructionsIn(text) {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  const whole = lines.join("\n").replaceAll(/\\\n\s*/g, "");
  return whole.split("\n").filter((line) => line.trim()).map((line) => {
    const [, name, rest] = /^(\S+)\s+(.*)$/.exec(line);
    return { name, rest };
  });
}

// What a container of this file is: {environment, user, directory, command, health, port}. The last word on each counts.
export function containerOf(text) {
  const instructions = instructionsIn(text);
  const last = (name) => instructions.findLast((instruction) => instruction.name === name)?.rest;
  const variables = instructions.filter(({ name }) => name === "ENV").map(({ rest }) => [rest.slice(0, rest.indexOf("=")), rest.slice(rest.indexOf("=") + 1)]);
  return {
    environment: Object.fromEntries(variables),
    user: last("USER"),
    directory: last("WORKDIR"),
    command: [...JSON.parse(last("ENTRYPOINT")), ...JSON.parse(last("CMD"))],
    health: JSON.parse(/ CMD (\[.*\])$/.exec(last("HEALTHCHECK"))[1]),
    port: Number(last("EXPOSE")),
  };
}

// All documents of the manifests: [{file, document}].
export const manifests = () =>
  filesOf("kubernetes").flatMap((file) => loadAll(textOf("kubernetes", file)).map((document) => ({ file, document })));

// The pods the manifests would make: [{file, name, labels, spec, claims}]. `claims`: names of volumes that come as claims.
export function pods() {
  return manifests().flatMap(({ file, document: { kind, metadata, spec } }) => {
    const claims = (spec?.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name);
    if (kind === "Pod") return [{ file, name: metadata.name, labels: metadata.labels, spec, claims }];
    const { template = spec?.podTemplate } = spec ?? {};
    if (!template) return [];
    const name = kind === "StatefulSet" ? `${metadata.name}-0` : metadata.name;
    return [{ file, name, labels: template.metadata.labels, spec: template.spec, claims }];
  });
}

// $(NAME) as the kubelet expands it in arguments and in subPathExpr.
export const expanded = (text, variables) => text.replaceAll(/[$][(](\w+)[)]/g, (all, name) => variables[name] ?? all);

// The lines of a unit's section [Service]: Map of name to list. An empty value is in it as "".
export function serviceOf(text, specifiers) {
  const section = text.split(/^\[Service\]$/m)[1].split(/^\[/m)[0];
  const settings = new Map();
  for (const [, name, value] of section.matchAll(/^(\w+)=(.*)$/gm))
    settings.set(name, [...(settings.get(name) ?? []), value.replaceAll(/%(\w)/g, (all, letter) => specifiers[letter] ?? all)]);
  return settings;
}
