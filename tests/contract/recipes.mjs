// How to call each operation so that it succeeds. `path` fills the path parameters; `head`: the answer never ends.
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
});

export const recipes = {
  getRoot: {},
  getHealthz: {},
  getHealth: {},
  getStatus: {},
  getOpenapi: {},
  listAcp: { needsInstance: true },
  postAcp: { path: { server_id: "posted" }, query: { agent: "mock" }, body: initialize },
  getAcp: { path: { server_id: "walk" }, needsInstance: true, head: true },
  deleteAcp: { path: { server_id: "nobody" } },
  getAcpStderr: { path: { server_id: "walk" }, needsInstance: true },
  redirectToUi: {},
  getUi: { path: { path: "" } },
};

// The instance that recipes with `needsInstance` talk about.
export const instance = { target: "/v1/acp/walk?agent=mock", body: initialize };
