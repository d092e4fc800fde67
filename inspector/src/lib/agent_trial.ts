// Tries an agent out: starts a process of its own, asks it to initialize, and ends the process, whatever happened; also when the page
// is left in the middle.
import { Daemon, SandboxAgentError, version } from "sandbox-agent/daemon";
import { answeredOf, type Trial, type TrialFailure } from "../state/agent_trial.js";
import { InstanceView } from "../state/instance.js";
import { fieldsOf, textOf } from "../state/json_rpc.js";
import { failureOf } from "./agent_failure.js";
import { InstanceLink } from "./instance_link.js";
import { clientName } from "./shown_instance.js";

const patienceMs = 60_000;
const nonsenseMs = 15_000; // after output that is no message
const lookMs = 250;
const lateMs = 1_500; // a request that was given up may still arrive, and start the process

export class AgentTrial {
  readonly serverId: string;
  readonly #agent: string;
  readonly #daemon: Daemon;
  readonly #tell: (trial: Trial) => void;
  readonly #view: InstanceView;
  readonly #stopped = new AbortController();
  #trial: Trial;

  constructor(agent: string, daemon: Daemon, tell: (trial: Trial) => void) {
    this.#agent = agent;
    this.#daemon = daemon;
    this.#tell = tell;
    this.serverId = `ui-test-${agent}-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`;
    this.#view = new InstanceView(this.serverId);
    this.#trial = { serverId: this.serverId, state: "working", step: "start", startedAt: Date.now() };
  }

  async run(): Promise<void> {
    const began = performance.now();
    const leave = () =>
      void this.#lasting()
        .stop(this.serverId)
        .catch(() => {});
    window.addEventListener("pagehide", leave);
    this.#change({});
    const end = await this.#ask().then(
      (answered): Partial<Trial> => ({ state: "answered", answered, tookMs: performance.now() - began }),
      async (error: unknown): Promise<Partial<Trial>> => {
        if (this.#stopped.signal.aborted) return { state: "cancelled" };
        return { state: "failed", failure: await this.#failure(error), tookMs: performance.now() - began };
      },
    );
    const mayArriveLate = end.state === "cancelled" && this.#trial.step === "start";
    this.#change({ step: "end" });
    if (mayArriveLate) await new Promise((resolve) => setTimeout(resolve, lateMs));
    const left = await this.#daemon.stop(this.serverId).then(
      () => undefined,
      (error: unknown) => failureOf(error).message,
    );
    window.removeEventListener("pagehide", leave);
    this.#change({ ...end, at: Date.now(), ...(left !== undefined && { left }) });
  }

  cancel(): void {
    this.#stopped.abort();
  }

  async #ask() {
    const link = new InstanceLink({
      view: this.#view,
      agent: this.#agent,
      baseUrl: this.#daemon.baseUrl,
      token: this.#daemon.token,
      replayTo: 0,
      onHeard: () => {},
      onState: () => {},
      onEnd: () => {},
    });
    const params = {
      protocolVersion: 1,
      clientInfo: { name: clientName, title: "Sandbox Agent Inspector", version },
      clientCapabilities: {},
    };
    const patience = this.#patience();
    try {
      const answer = link.request("initialize", params, () => this.#change({ step: "initialize" }));
      const result = await Promise.race([answer, patience.over]);
      const answered = answeredOf(result);
      if (answered) return answered;
      throw new SandboxAgentError(`Its answer to initialize is none: ${JSON.stringify(result)?.slice(0, 200)}`, {
        code: "bad_answer",
        hint: "This program does not speak ACP as it should.",
      });
    } finally {
      patience.end();
      link.close();
    }
  }

  // Rejects when it was cancelled, and when nothing is to be hoped for any more.
  #patience() {
    const { signal } = this.#stopped;
    const began = Date.now();
    let end = () => {};
    const over = new Promise<never>((_, reject) => {
      const stop = () => reject(new SandboxAgentError("Cancelled.", { code: "cancelled" }));
      const look = () => {
        const [nonsense, waited] = [this.#nonsense(), Date.now() - began];
        if (waited < (nonsense === undefined ? patienceMs : nonsenseMs)) return;
        const wrote = nonsense === undefined ? "" : ` It wrote something that is no message: ${nonsense}`;
        const hint = "Check that its command starts an ACP agent, and nothing else writes to its standard output.";
        reject(new SandboxAgentError(`No answer within ${(waited / 1000) | 0} s.${wrote}`, { code: "timeout", hint }));
      };
      const timer = setInterval(look, lookMs);
      signal.addEventListener("abort", stop);
      end = () => {
        clearInterval(timer);
        signal.removeEventListener("abort", stop);
      };
    });
    over.catch(() => {});
    return { over, end };
  }

  #nonsense(): string | undefined {
    const entry = this.#view.log.entries.find(({ message }) => fieldsOf(message)["method"] === "_adapter/invalid_stdout");
    return entry && (textOf(fieldsOf(fieldsOf(entry.message)["params"])["raw"]) ?? "").slice(0, 200);
  }

  async #failure(error: unknown): Promise<TrialFailure> {
    const { message, hint, stderr } = failureOf(error);
    const tail = stderr ?? (await this.#daemon.stderr(this.serverId).catch(() => ""));
    return { message, ...(hint !== undefined && { hint }), ...(tail.trim() !== "" && { stderr: tail }) };
  }

  // Its requests go on when the page is gone.
  #lasting(): Daemon {
    const { baseUrl, token } = this.#daemon;
    return new Daemon({ baseUrl, token, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) });
  }

  #change(change: Partial<Trial>): void {
    this.#trial = { ...this.#trial, ...change };
    this.#tell(this.#trial);
  }
}
