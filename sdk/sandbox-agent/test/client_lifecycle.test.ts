// The one connection of a SandboxAgentClient: made by itself or on request, waited for, refused twice, ended, made anew.
import { describe, expect, test } from "vitest";
import "./guards.js";
import { Network } from "./outage.js";
import { inBothModes, isAlive, oddAgent } from "./place.js";
import { failureOf, until } from "./waiting.js";
import {
  AgentExitedError,
  AgentNotFoundError,
  AlreadyConnectedError,
  CancelledError,
  NotConnectedError,
  TimeoutError,
} from "../src/index.js";
import type { ClientEvent } from "../src/index.js";

const stopGraceMs = 4_000;

inBothModes(
  "a client",
  (place) => {
    const cwd = "/";
    const hello = [{ type: "text" as const, text: "hello" }];

    test("connects by itself, and calls wait for that", async () => {
      const client = place().client();
      expect(client.connected).toBe(false);
      const { sessionId } = await client.newSession({ cwd });
      expect(client.connected).toBe(true);
      expect(client.agentDetails?.agentInfo?.name).toBe("mock");
      expect(await client.prompt({ sessionId, prompt: hello })).toMatchObject({ stopReason: "end_turn" });
    });

    test("with autoConnect: false sends nothing and refuses calls until connect()", async () => {
      let requests = 0;
      const counting: typeof fetch = (...request) => (++requests, fetch(...request));
      const client = place().client({ autoConnect: false, fetch: counting });
      const calls = [
        () => client.newSession({ cwd }),
        () => client.loadSession({ sessionId: "x", cwd }),
        () => client.resumeSession({ sessionId: "x", cwd }),
        () => client.forkSession({ sessionId: "x", cwd }),
        () => client.prompt({ sessionId: "x", prompt: hello }),
        () => client.cancel({ sessionId: "x" }),
        () => client.setSessionMode({ sessionId: "x", modeId: "y" }),
        () => client.setSessionConfigOption({ sessionId: "x", configId: "y", value: "z" }),
        () => client.setSessionModel({ sessionId: "x", modelId: "y" }),
        () => client.listModels({ sessionId: "x" }),
        () => client.listSessions(),
        () => client.setMetadata({ sessionId: "x", metadata: {} }),
        () => client.detachSession({ sessionId: "x" }),
        () => client.terminateSession({ sessionId: "x" }),
        () => client.authenticate({ methodId: "x" }),
        () => client.logout(),
      ];
      for (const call of calls) expect(await failureOf(call())).toBeInstanceOf(NotConnectedError);
      expect(requests).toBe(0);
      await client.connect();
      expect(client.connected).toBe(true);
      await client.newSession({ cwd });
      await client.disconnect();
      expect(client.connected).toBe(false);
      const before = requests;
      for (const call of calls) expect(await failureOf(call())).toMatchObject({ code: "not_connected" });
      expect(requests).toBe(before);
    });

    test("has one connection at most: a second connect() is refused and disturbs nothing", async () => {
      const client = place().client({ serverId: "just-one" });
      expect(await failureOf(client.connect())).toBeInstanceOf(AlreadyConnectedError);
      const { sessionId } = await client.newSession({ cwd });
      expect(await failureOf(client.connect())).toBeInstanceOf(AlreadyConnectedError);
      expect(await failureOf(client.attach())).toBeInstanceOf(AlreadyConnectedError);
      expect(await client.prompt({ sessionId, prompt: hello })).toMatchObject({ stopReason: "end_turn" });
      expect((await place().servers()).filter(({ status }) => status === "running")).toHaveLength(1);
    });

    test("hands the failure of its own connect to every call that waits, then may connect again", async () => {
      const client = place().client({ agent: "nobody" });
      const calls = [client.newSession({ cwd }), client.listSessions(), client.cancel({ sessionId: "x" })];
      const failures = await Promise.all(calls.map(failureOf));
      for (const failure of failures) expect(failure).toBeInstanceOf(AgentNotFoundError);
      expect(await failureOf(client.newSession({ cwd }))).toBeInstanceOf(AgentNotFoundError);
      expect(await failureOf(client.connect())).toBeInstanceOf(AgentNotFoundError);
      expect(await place().servers()).toEqual([]);
    });

    test("that nobody uses fails in silence", async () => {
      const events: ClientEvent[] = [];
      place().client({ agent: "nobody", onEvent: (event) => events.push(event) });
      await until(() => events.some((event) => event.type === "state" && event.state === "closed"));
    });

    test("disconnect() ends the agent's process; connect() starts a new one", async () => {
      const events: ClientEvent[] = [];
      const client = place().client({ onEvent: (event) => events.push(event) });
      const { sessionId } = await client.newSession({ cwd });
      const pid = (await place().servers())[0]?.pid as number;
      await client.disconnect();
      await client.disconnect(); // twice is fine
      expect(await place().servers()).toEqual([]);
      expect(isAlive(pid)).toBe(false);
      expect(events).toContainEqual({ type: "session_ended", serverId: client.serverId, sessionId, reason: "disconnected" });
      await client.connect();
      await client.newSession({ cwd });
      expect(await place().servers()).toHaveLength(1);
    });

    test("disconnect() while connecting rejects what waited", async () => {
      const client = place().client({ agent: "odd" });
      const waiting = failureOf(client.newSession({ cwd }));
      await client.disconnect();
      expect(await waiting).toBeInstanceOf(NotConnectedError);
      expect(await failureOf(client.newSession({ cwd }))).toBeInstanceOf(NotConnectedError);
      await until(async () => (await place().servers()).length === 0, "the end of the process");
    });

    test("disconnect() and stopAgent() wait for an agent that heeds no SIGTERM, longer than for a connection", async () => {
      const giveUpAfterMs = stopGraceMs - 1_000;
      const client = place().client({ agent: "deaf", giveUpAfterMs });
      const agent = await place().open({ giveUpAfterMs });
      const session = await agent.createSession({ agent: "deaf", cwd: "/" });
      await client.ready();
      const pids = [...(await place().servers()), ...(await agent.instances())].map(({ pid }) => pid as number);
      expect(pids.map(isAlive)).not.toContain(false);
      await Promise.all([client.disconnect(), session.stopAgent()]);
      expect(pids.map(isAlive)).not.toContain(true);
    });

    test("connect() waits for a disconnect() that is under way, which would end the new process", async () => {
      let isHeld = () => {};
      let letGo = () => {};
      const held = new Promise<void>((resolve) => (isHeld = resolve));
      const free = new Promise<void>((resolve) => (letGo = resolve));
      const holding: typeof fetch = async (input, init) => {
        sent.push(init?.method);
        if (init?.method === "DELETE") await (isHeld(), free);
        return fetch(input, init);
      };
      const sent: unknown[] = [];
      const client = place().client({ serverId: "again", fetch: holding });
      await client.ready();
      const gone = client.disconnect();
      await held;
      const connecting = client.connect();
      await place().servers(); // time enough to begin
      expect(sent.at(-1)).toBe("DELETE");
      letGo();
      await Promise.all([gone, connecting]);
      await client.newSession({ cwd });
      expect(await place().servers()).toMatchObject([{ serverId: "again", status: "running" }]);
    });

    test("disconnect() while a turn runs rejects the turn", async () => {
      const client = place().client();
      const { sessionId } = await client.newSession({ cwd });
      const updates = new Promise<void>((resolve) => client.onEvent(({ type }) => type === "update" && resolve()));
      const turn = failureOf(client.prompt({ sessionId, prompt: [{ type: "text", text: "/hang" }] }));
      await updates;
      await client.disconnect();
      expect(await turn).toBeInstanceOf(NotConnectedError);
    });

    test("that lost its agent says why until connect() starts another", async () => {
      const client = place().client();
      const { sessionId } = await client.newSession({ cwd });
      const crash = await failureOf(client.prompt({ sessionId, prompt: [{ type: "text", text: "/crash 9" }] }));
      expect(crash).toBeInstanceOf(AgentExitedError);
      expect(client.connected).toBe(false);
      expect(await failureOf(client.newSession({ cwd }))).toMatchObject({ code: "agent_process_exited", exitCode: 9 });
      await client.connect();
      expect(client.connected).toBe(true);
      const next = await client.newSession({ cwd });
      expect(await client.prompt({ sessionId: next.sessionId, prompt: hello })).toMatchObject({ stopReason: "end_turn" });
      await until(async () => (await place().servers()).length === 1, "the end of the old process");
    });

    test("with a name of its own for the process may use it again after a crash", async () => {
      const client = place().client({ serverId: "phoenix" });
      const { sessionId } = await client.newSession({ cwd });
      await failureOf(client.prompt({ sessionId, prompt: [{ type: "text", text: "/crash" }] }));
      await client.connect();
      await client.newSession({ cwd });
      expect(await place().servers()).toMatchObject([{ serverId: "phoenix", status: "running" }]);
    });

    test("gives up on an agent that never answers the greeting, and ends it", async () => {
      const client = place().client({ agent: "mute", connectTimeoutMs: 300 });
      const failure = await failureOf(client.newSession({ cwd }));
      expect(failure).toBeInstanceOf(TimeoutError);
      await until(async () => (await place().servers()).length === 0, "the end of the process");
    });

    test("an agent that ends instead of greeting is reported with its last words", async () => {
      const client = place().client({ agent: "unlicensed" });
      const failure = await failureOf(client.newSession({ cwd }));
      expect(failure).toMatchObject({ name: "AgentExitedError", exitCode: 3, stderr: expect.stringContaining("no licence") });
    });

    describe("whose process may run although its start failed", () => {
      // The network is lost with the answer to the first message.
      const cutStart = async () => {
        const network = new Network();
        let isCut = false;
        const cutting: typeof fetch = async (input, init) => {
          const response = await network.fetch(input, init);
          if (init?.method !== "POST" || isCut) return response;
          isCut = true;
          network.down();
          throw new TypeError("the network was cut");
        };
        const client = place().client({ fetch: cutting });
        expect(await failureOf(client.ready())).toMatchObject({ code: "unreachable" });
        expect(await place().servers()).toHaveLength(1);
        return { client, network };
      };

      test("disconnect() ends it, once it can", async () => {
        const { client, network } = await cutStart();
        expect(await failureOf(client.disconnect())).toMatchObject({ code: "connection_lost" });
        network.up();
        await client.disconnect();
        expect(await place().servers()).toEqual([]);
      });

      test("connect() ends it and starts another", async () => {
        const { client, network } = await cutStart();
        const old = (await place().servers())[0]!.serverId;
        network.up();
        await client.connect();
        expect((await place().servers()).map(({ serverId }) => serverId)).toEqual([client.serverId]);
        expect(client.serverId).not.toBe(old);
      });

      test("disconnect() ends it when the connection was lost while the agent began", async () => {
        const network = new Network();
        const client = place().client({ agent: "mute", fetch: network.fetch, giveUpAfterMs: 2_000 });
        const failed = failureOf(client.ready());
        await until(async () => (await place().servers()).some(({ status }) => status === "running"), "the start");
        await until(() => network.isCalm);
        network.down();
        expect(await failed).toMatchObject({ code: "connection_lost" });
        network.up();
        await client.disconnect();
        expect(await place().servers()).toEqual([]);
      });
    });

    test("a signal ends the connection and leaves the process", async () => {
      const abort = new AbortController();
      const client = place().client({ signal: abort.signal, serverId: "stays" });
      const { sessionId } = await client.newSession({ cwd });
      const turn = failureOf(client.prompt({ sessionId, prompt: [{ type: "text", text: "/hang" }] }));
      abort.abort();
      expect(await turn).toBeInstanceOf(CancelledError);
      expect(await failureOf(client.newSession({ cwd }))).toBeInstanceOf(CancelledError);
      expect(await place().servers()).toMatchObject([{ serverId: "stays", status: "running" }]);
      await client.disconnect();
      expect(await place().servers()).toEqual([]);
    });

    test("attach() reads on from a process that runs, and its failure ends nobody's process", async () => {
      const first = place().client({ serverId: "shared" });
      const { sessionId } = await first.newSession({ cwd });
      const events: ClientEvent[] = [];
      const second = place().client({ serverId: "shared", autoConnect: false, onEvent: (event) => events.push(event) });
      await second.attach({ since: 0 });
      expect(second.connected).toBe(true);
      expect(await second.prompt({ sessionId, prompt: hello })).toMatchObject({ stopReason: "end_turn" });
      const strangers = place().client({ serverId: "shared", autoConnect: false, token: "wrong" });
      expect(await failureOf(strangers.attach())).toMatchObject({ name: "AuthError" });
      const away = place().client({ serverId: "nowhere", autoConnect: false });
      expect(await failureOf(away.attach())).toMatchObject({ status: 404 });
      expect(await first.prompt({ sessionId, prompt: hello })).toMatchObject({ stopReason: "end_turn" });
    });

    test("attach() needs the name of the process", async () => {
      expect(await failureOf(place().client({ autoConnect: false }).attach())).toMatchObject({ code: "invalid_option" });
    });
  },
  [
    ["--stop-grace-ms", String(stopGraceMs)],
    ["--agent", oddAgent],
    ["--agent", `deaf=/usr/bin/env ODD_SIGTERM=ignore ${oddAgent.slice(4)}`],
    ["--agent", `mute=/usr/bin/env ODD_INITIALIZE=never ${oddAgent.slice(4)}`],
    ["--agent", `unlicensed=/usr/bin/env ODD_INITIALIZE=fail ${oddAgent.slice(4)}`],
  ].flat(),
);
