// The operations of the API document, flattened: one plain object per route.
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      isOpen: operation.security?.length === 0,
      parameters: operation.parameters ?? [],
      bodyType: Object.keys(operation.requestBody?.content ?? {})[0],
      bodyRequired: operation.requestBody?.required,
      bodyLimit: operation.requestBody?.["x-limit"],
      answers: Object.entries(operation.responses)
        .filter(([, response]) => !response["x-error-codes"])
        .map(([status, response]) => ({ status: Number(status), ...contentOf(response), headers: response.headers ?? {} })),
      errorCodes: Object.values(operation.responses).flatMap((response) => response["x-error-codes"] ?? []),
    })),
  );
}

function contentOf(response) {
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  return { type, schema: content?.schema };
}

// The request target of an operation, its parameters filled in.
export function targetOf(operation, recipe, changes = {}) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => changes.path ?? encodeURIComponent(recipe.path?.[name] ?? ""));
  const query = new URLSearchParams({ ...recipe.query, ...changes.query });
  for (const name of changes.without ?? []) query.delete(name);
  return query.size > 0 ? `${path}?${query}` : path;
}
