// What the entries of each kind are called.

export const words = {
  mcp: { one: "MCP server", many: "MCP servers" },
  skills: { one: "set of skills", many: "skills" },
} as const;
