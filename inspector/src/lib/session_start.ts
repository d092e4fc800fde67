// Starts a session: install, start, initialize, session. Each step is told as it begins; whatever fails says which step, why, and what
// the agent wrote. Nothing is left running after a failure, except an agent that only wants a login.
import { AcpHttpError } from "acp-http-client";
import { SandboxAgentError, version, type Daemon } from "sandbox-agent/daemon";
import { fieldsOf, textOf } from "../state/json_rpc.js";
import type { StartFailure, StartNews, StepName } from "../state/starting.js";
import { AgentRefusal, type InstanceLink } from "./instance_link.js";
import { clientName, type ShownInstance } from "./shown_instance.js";

const signInCode = -32000;
const lateMs = 1_500; // a request that was given up may still arrive, and start what has just been ended
const nonsenseMs = 15_000; // after output that is no message an agent gets so much time for one that is

const namePrefix = "ui-";
/** Whether an inspector, here or in another browser, gave a process this name. */
export const isOurName = (serverId: string) => serverId.startsWith(namePrefix);

export interface Wish {
  readonly agent: string;
  readonly cwd: string;
  readonly isInstalled: boolean;
  /** In the form the agent takes. */
  readonly mcpServers: readonly unknown[];
  /** A session the agent may remember. */
  readonly load?: string;
}

export interface Begun {
  readonly serverId: string;
  readonly sessionId: string;
}

export class SessionStart {
  readonly serverId: string;
  readonly #wish: Wish;
  readonly #daemon: Daemon;
  readonly #shown: ShownInstance;
  readonly #tell: (news: StartNews) => void;
  #step: StepName = "install";
  #link: InstanceLink | undefined;
  #isCancelled = false;

  constructor(wish: Wish, daemon: Daemon, shown: ShownInstance, tell: (news: StartNews) => void) {
    this.#wish = wish;
    this.#daemon = daemon;
    this.#shown = shown;
    this.#tell = tell;
    this.serverId = `${namePrefix}${wish.agent}-${randomWord()}`;
  }

  /** Undefined when it failed, which has been told, or was cancelled. */
  async run(): Promise<Begun | undefined> {
    try {
      await this.#install();
      await this.#initialize();
      return await this.#session();
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Signs in, then tries the last step again. */
  async signIn(methodId: string): Promise<Begun | undefined> {
    try {
      this.#begin("session");
      await this.#ask("authenticate", { methodId });
      return await this.#session();
    } catch (error) {
      return this.#failed(error);
    }
  }

  cancel(): void {
    this.#isCancelled = true;
    void this.#end();
  }

  async #install(): Promise<void> {
    if (this.#wish.isInstalled) return this.#tell({ type: "skipped", step: "install" });
    this.#begin("install");
    await this.#daemon.agents.install(this.#wish.agent, {
      onProgress: (progress) => this.#tell({ type: "progress", progress }),
    });
  }

  async #initialize(): Promise<void> {
    if (this.#isCancelled) return;
    this.#begin("start");
    this.#link = this.#shown.start(this.serverId, this.#wish.agent);
    const params = {
      protocolVersion: 1,
      clientInfo: { name: clientName, title: "Sandbox Agent Inspector", version },
      clientCapabilities: { elicitation: { form: {} } },
    };
    await this.#ask("initialize", params, () => this.#begin("initialize"));
  }

  async #session(): Promise<Begun | undefined> {
    if (this.#isCancelled) return undefined;
    this.#begin("session");
    const { cwd, mcpServers, load } = this.#wish;
    const params = { cwd, mcpServers };
    const canLoad = load !== undefined && this.#shown.viewOf(this.serverId)?.introduction?.canLoad;
    const loaded = canLoad && (await this.#ask("session/load", { ...params, sessionId: load }).then(() => true, isRefused));
    const sessionId = loaded ? load : textOf(fieldsOf(await this.#ask("session/new", params))["sessionId"]);
    if (this.#isCancelled) return undefined;
    if (sessionId === undefined || sessionId === "")
      throw new SandboxAgentError("The agent's answer to session/new has no sessionId.", {
        code: "bad_answer",
        hint: "This program does not speak ACP as it should; look at the Trace.",
      });
    this.#tell({ type: "over", at: Date.now() });
    return { serverId: this.serverId, sessionId };
  }

  #begin(step: StepName): void {
    this.#step = step;
    this.#tell({ type: "began", step, at: Date.now() });
  }

  // An agent that writes nonsense instead of an answer is not waited for.
  async #ask(method: string, params: object, onTaken?: () => void): Promise<unknown> {
    let timer: ReturnType<typeof setInterval> | undefined;
    const nonsense = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        const entry = this.#shown
          .viewOf(this.serverId)
          ?.log.entries.find(({ message }) => fieldsOf(message)["method"] === "_adapter/invalid_stdout");
        if (!entry) return;
        const raw = (textOf(fieldsOf(fieldsOf(entry.message)["params"])["raw"]) ?? "").slice(0, 200);
        this.#tell({ type: "remark", text: `it wrote: ${raw}` });
        if (Date.now() - (entry.at ?? 0) < nonsenseMs) return;
        reject(
          new SandboxAgentError(`The agent wrote something that is no message, and no answer: ${raw}`, {
            code: "bad_answer",
            hint: "Check that its command starts an ACP agent, and nothing else writes to its standard output.",
          }),
        );
      }, 250);
    });
    try {
      return await Promise.race([this.#link!.request(method, params, onTaken), nonsense]);
    } finally {
      clearInterval(timer);
    }
  }

  async #failed(error: unknown): Promise<undefined> {
    if (this.#isCancelled) return undefined;
    const failure = await this.#failureOf(error);
    if (!failure.signIn) await this.#end();
    this.#tell({ type: "failed", failure, at: Date.now() });
    return undefined;
  }

  async #failureOf(error: unknown): Promise<StartFailure> {
    const step = this.#step;
    if (error instanceof AgentRefusal) {
      const code = error.code === undefined ? "" : ` (${error.code})`;
      return { step, message: `${error.message}${code}`, ...(error.code === signInCode && { signIn: true }) };
    }
    if (error instanceof SandboxAgentError) {
      const said = error.problem as { stderr?: string; cause?: string } | undefined;
      const cause = said?.cause === undefined || error.message.includes(said.cause) ? "" : ` ${said.cause}`;
      return {
        step,
        message: error.message + cause,
        ...(error.hint !== undefined && error.code !== "install_failed" && { hint: error.hint }),
        ...(said?.stderr && { stderr: said.stderr }),
      };
    }
    const problem = error instanceof AcpHttpError ? error.problem : undefined;
    const stderr =
      textOf(problem?.["stderr"]) ?? (this.#link ? await this.#daemon.stderr(this.serverId).catch(() => undefined) : undefined);
    return { step, message: error instanceof Error ? error.message : String(error), ...(stderr ? { stderr } : {}) };
  }

  async #end(): Promise<void> {
    const isMade = this.#link !== undefined;
    this.#link?.close(); // nothing more of it is to be sent
    this.#link = undefined;
    if (this.#shown.serverId === this.serverId) this.#shown.clear();
    if (!isMade) return;
    await this.#daemon.stop(this.serverId).catch(() => {});
    if (this.#step === "start") setTimeout(() => void this.#daemon.stop(this.serverId).catch(() => {}), lateMs);
  }
}

function isRefused(error: unknown): false {
  if (error instanceof AgentRefusal) return false;
  throw error;
}

function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(36).padStart(2, "0")).join("");
}
