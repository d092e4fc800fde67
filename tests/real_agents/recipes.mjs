// The agents that can be run against the stub model, one row each:
//   package, args   what the registry of the test says: an npm package with its version, and arguments
//   registryId      under which name it is listed there, where that is not the agent's own
//   env, files      how it finds the stub; `key` is undefined when it shall miss its credentials
//   asks            whether it asks before it uses a tool
//   startsSlowly    whether ten processes of it are too much for a test
//   mayForget       whether a conversation may be lost when its process ends right after the turn: it writes it down later
// Versions are pinned: an agent that changes its ways changes here first.

const toml = (lines) => lines.join("\n") + "\n";

export const recipes = {
  claude: {
    package: "@agentclientprotocol/claude-agent-acp@0.99.0",
    registryId: "claude-acp",
    asks: true,
    env: ({ stub, key }) => ({
      ANTHROPIC_BASE_URL: stub,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    }),
  },

  codex: {
    package: "@zed-industries/codex-acp@0.16.0",
    registryId: "codex-acp",
    asks: true,
    env: ({ home, key }) => ({ CODEX_HOME: `${home}/.codex`, STUB_KEY: key, OPENAI_API_KEY: key }),
    files: ({ stub }) => ({
      ".codex/config.toml": toml([
        'model = "gpt-5.3-codex"',
        'model_provider = "stub"',
        'approval_policy = "on-request"',
        'sandbox_mode = "read-only"',
        "[model_providers.stub]",
        'name = "stub"',
        `base_url = "${stub}/v1"`,
        'env_key = "STUB_KEY"',
        'wire_api = "responses"',
      ]),
    }),
  },

  gemini: {
    package: "@google/gemini-cli@0.61.0",
    args: ["--acp"],
    asks: true,
    mayForget: true,
    startsSlowly: true,
    env: ({ stub, key }) => ({
      GOOGLE_GEMINI_BASE_URL: stub,
      GEMINI_API_KEY: key,
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    files: () => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        model: { name: "gemini-2.5-flash" },
      },
    }),
  },

  opencode: {
    package: "opencode-ai@1.18.33",
    args: ["acp"],
    asks: true,
    env: ({ home }) => ({
      OPENCODE_CONFIG: `${home}/opencode.json`,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
    files: ({ stub, key }) => ({
      "opencode.json": {
        autoupdate: false,
        share: "disabled",
        model: "stub/stub-model",
        small_model: "stub/stub-model",
        enabled_providers: ["stub"],
        permission: { bash: "ask", edit: "ask" },
        provider: {
          stub: {
            npm: "@ai-sdk/openai-compatible",
            name: "stub",
            options: { baseURL: `${stub}/v1`, apiKey: key },
            models: { "stub-model": { name: "stub-model", tool_call: true, limit: { context: 128000, output: 8192 } } },
          },
        },
      },
    }),
  },

  pi: {
    package: "pi-acp@0.0.34",
    registryId: "pi-acp",
    asks: false,
    env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" }),
    files: ({ stub, key }) => ({
      ".pi/agent/models.json": {
        providers: {
          stub: {
            baseUrl: `${stub}/v1`,
            api: "openai-completions",
            apiKey: key,
            compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
            models: [{ id: "stub-model" }],
          },
        },
      },
      ".pi/agent/settings.json": { defaultProvider: "stub", defaultModel: "stub-model", quietStartup: true },
    }),
  },
};
