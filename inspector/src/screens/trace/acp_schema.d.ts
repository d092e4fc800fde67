// Made by vite.config.ts.
declare module "virtual:acp-schema" {
  export const schema: import("../../state/schema.js").ProtocolSchema;
}
