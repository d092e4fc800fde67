#!/usr/bin/env node
// The command of `npx sandbox-agent`: the launcher's.
import "@sandbox-agent/cli/bin/sandbox-agent.js";
