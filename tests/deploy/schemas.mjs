// Manifests against Kubernetes' own schemas, strictly: the compiler knows every field (one it does not know is a mistake), the
// validators made from the OpenAPI document know the values.
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const require = createRequire(import.meta.url);
const here = path.dirname(fileURLToPath(import.meta.url));

// Kinds that are no part of Kubernetes' document, described in other_kinds.d.ts.
const others = new Map([
  ["agents.x-k8s.io/v1beta1 Sandbox", "Sandbox"],
  ["kustomize.config.k8s.io/v1beta1 Kustomization", "Kustomization"],
]);

// What is wrong with a document; [] when nothing is.
export function mistakesIn(documents) {
  return [...unknownFields(documents), ...documents.flatMap(wrongValues)];
}

function typeOf({ apiVersion, kind }) {
  const other = others.get(`${apiVersion} ${kind}`);
  if (other) return { module: "./other_kinds", name: other };
  return { module: `kubernetes-models/${apiVersion}/${kind}`, name: `I${kind}` };
}

function unknownFields(documents) {
  const file = path.join(here, "manifests.generated.ts"); // only in memory
  const lines = documents.map((document, at) => {
    const { module, name } = typeOf(document);
    return `import type { ${name} as T${at} } from "${module}"; export const d${at}: T${at} = ${JSON.stringify(document)};`;
  });
  const options = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, strict: true, noEmit: true,
    skipLibCheck: true, types: [], lib: ["lib.es2022.d.ts"] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, lines.join("\n"), ts.ScriptTarget.ES2022, true) : read(name, ...rest);
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options, host)).map(({ file: place, start, messageText }) => {
    const line = place ? place.getLineAndCharacterOfPosition(start).line : 0;
    return `${documents[line]?.kind}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

function wrongValues(document) {
  const { module, name } = typeOf(document);
  if (module.startsWith(".")) return document.spec?.podTemplate ? wrongPod(document) : [];
  return complaints(document.kind, () => new (require(module)[name.slice(1)])(document).validate());
}

// The pod inside of a kind that has no validator of its own.
function wrongPod({ kind, metadata, spec: { podTemplate, volumeClaimTemplates = [] } }) {
  const { Pod, PersistentVolumeClaim } = require("kubernetes-models/v1");
  const pod = () => new Pod({ metadata: { ...podTemplate.metadata, name: metadata.name }, spec: podTemplate.spec }).validate();
  const claims = volumeClaimTemplates.map((claim) => () => new PersistentVolumeClaim(claim).validate());
  return [pod, ...claims].flatMap((check) => complaints(kind, check));
}

function complaints(kind, check) {
  try {
    check();
    return [];
  } catch (error) {
    return [`${kind}: ${error.message}`];
  }
}
