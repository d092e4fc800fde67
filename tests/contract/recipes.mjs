// How to call each operation so that it succeeds. `path` fills the path parameters; `head`: the answer never ends; `first`: a
// request that makes what the call uses up. Relative directories lie in the daemon's own.
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
});

const mcpServer = JSON.stringify({ type: "remote", url: "https://mcp.example/", oauth: { scope: "all" }, timeoutMs: 5 });
const skills = JSON.stringify({ sources: [{ type: "github", source: "owner/skills", skills: ["one"] }] });

export const recipes = {
  getRoot: {},
  getHealthz: {},
  getHealth: {},
  getStatus: {},
  getOpenapi: {},
  listAcp: {},
  postAcp: { path: { server_id: "posted" }, query: { agent: "mock" }, body: initialize },
  getAcp: { path: { server_id: "walk" }, head: true },
  deleteAcp: { path: { server_id: "nobody" } },
  getAcpStderr: { path: { server_id: "walk" } },
  listAgents: { query: { config: "true" } },
  getAgent: { path: { agent: "mock" } },
  installAgent: { path: { agent: "mock" }, body: "{}" },
  removeAgent: { path: { agent: "mock" } },
  getMcpConfig: { query: { directory: "project", mcpName: "kept" } },
  putMcpConfig: { query: { directory: "project", mcpName: "put" }, body: mcpServer },
  deleteMcpConfig: { query: { directory: "project", mcpName: "nobody" } },
  getSkillsConfig: { query: { directory: "project", skillName: "kept" } },
  putSkillsConfig: { query: { directory: "project", skillName: "put" }, body: skills },
  deleteSkillsConfig: { query: { directory: "project", skillName: "nobody" } },
  listFsEntries: { query: { path: "files" } },
  statFs: { query: { path: "files/kept" } },
  readFsFile: { query: { path: "files/kept" } },
  writeFsFile: { query: { path: "files/put" }, body: "content" },
  deleteFsEntry: { query: { path: "files/doomed" }, first: { method: "POST", target: "/v1/fs/mkdir?path=files/doomed" } },
  mkdirFs: { query: { path: "files/made" } },
  moveFs: { body: JSON.stringify({ from: "files/kept", to: "files/kept" }) },
  uploadFsBatch: { query: { path: "files/unpacked" }, body: "\0".repeat(1024) },
  redirectToUi: {},
  getUi: { path: { path: "" } },
};

// What is there before the walk, for the recipes that need it.
export const scenery = [
  { method: "POST", target: "/v1/acp/walk?agent=mock", body: initialize },
  { method: "PUT", target: "/v1/config/mcp?directory=project&mcpName=kept", body: mcpServer },
  { method: "PUT", target: "/v1/config/skills?directory=project&skillName=kept", body: skills },
  { method: "PUT", target: "/v1/fs/file?path=files/kept", body: "content" },
];
