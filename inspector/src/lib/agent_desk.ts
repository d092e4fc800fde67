// What is being done with agents on this page: installs, removals, tests. It goes on when the screen is left; made once per page, when the
// screen is first shown.
import { useEffect, useState } from "preact/hooks";
import type { AgentInfo, SandboxAgentError } from "sandbox-agent/daemon";
import { installAfter, installOf, isUnderWay } from "../state/agent_install.js";
import type { Install, InstallFailure, InstallNews, InstallWish } from "../state/agent_install.js";
import type { Trial } from "../state/agent_trial.js";
import { failureOf } from "./agent_failure.js";
import { AgentTrial } from "./agent_trial.js";
import type { App } from "./app.js";

type Of<T> = Readonly<Record<string, T>>;

export interface DeskState {
  readonly installs: Of<Install>;
  readonly trials: Of<Trial>;
  /** Being removed, or why that failed. */
  readonly removals: Of<"working" | InstallFailure>;
  /** Why the list could not be asked for again. */
  readonly listFailure?: InstallFailure;
}

const desks = new WeakMap<App, AgentDesk>();

export function deskOf(app: App): AgentDesk {
  const desk = desks.get(app) ?? new AgentDesk(app);
  desks.set(app, desk);
  return desk;
}

/** The desk, and its state as it is now. */
export function useDesk(app: App): [AgentDesk, DeskState] {
  const desk = deskOf(app);
  const [, draw] = useState({});
  useEffect(() => desk.subscribe(() => draw({})), [desk]);
  return [desk, desk.state];
}

export class AgentDesk {
  state: DeskState = { installs: {}, trials: {}, removals: {} };
  readonly #app: App;
  readonly #listeners = new Set<() => void>();
  readonly #cancellings = new Map<string, Promise<boolean>>();
  readonly #trials = new Map<string, AgentTrial>();
  #isDrawing = false;

  constructor(app: App) {
    this.#app = app;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Asks for the list again. What is shown stays when that fails. */
  async refresh(): Promise<void> {
    const { store, daemon } = this.#app;
    const before = store.state.agents;
    if (before.state !== "ready") return this.#app.loadAgents();
    try {
      const agents = await daemon.agents.list();
      if (this.state.listFailure) this.#setListFailure(undefined);
      if (textOfAll(agents) !== textOfAll(before.value))
        store.dispatch({ type: "agents", agents: { state: "ready", value: agents } });
      this.#forgetSolved(agents);
    } catch (error) {
      if ((error as SandboxAgentError).code !== "unreachable") this.#setListFailure(failureOf(error)); // that is said above
    }
  }

  async install({ id, installed }: AgentInfo, wish: InstallWish = {}): Promise<void> {
    if (isUnderWay(this.state.installs[id])) return;
    this.#setRemoval(id, undefined);
    this.#setInstall(id, installOf(wish, installed, Date.now()));
    const outcome = await this.#app.daemon.agents
      .install(id, { ...wish, onProgress: (progress) => this.#tell(id, { type: "progress", progress, at: Date.now() }) })
      .then(
        ({ alreadyInstalled, artifacts }): InstallNews => {
          const { version } = artifacts[0] ?? {};
          return { type: "done", wasThere: alreadyInstalled, version, at: Date.now() };
        },
        (error: unknown): InstallNews => ({ type: "failed", failure: failureOf(error), at: Date.now() }),
      );
    const isCancelled = await this.#cancellings.get(id);
    this.#cancellings.delete(id);
    if (outcome.type === "done") {
      this.#setTrial(id, undefined);
      await this.refresh(); // the new version is there when it is said to be
    }
    this.#tell(id, isCancelled ? { type: "cancelled", at: Date.now() } : outcome);
    if (outcome.type !== "done") await this.refresh();
  }

  /** Calls an install off. The daemon does so by removing the agent, also a version that was there before. */
  cancelInstall(id: string): void {
    if (this.state.installs[id]?.state !== "working") return;
    this.#tell(id, { type: "cancelling" });
    const called = this.#app.daemon.agents.uninstall(id).then(
      () => true,
      (error: unknown) => {
        this.#tell(id, { type: "not cancelled", failure: failureOf(error) });
        this.#cancellings.delete(id);
        return false;
      },
    );
    this.#cancellings.set(id, called);
  }

  /** Nobody needs to read any more how it ended. */
  dismiss(id: string): void {
    if (!isUnderWay(this.state.installs[id])) this.#setInstall(id, undefined);
    if (this.state.removals[id] !== "working") this.#setRemoval(id, undefined);
  }

  async remove(id: string): Promise<void> {
    this.#setRemoval(id, "working");
    try {
      await this.#app.daemon.agents.uninstall(id);
      await this.refresh();
      this.#setInstall(id, undefined);
      this.#setTrial(id, undefined);
      this.#setRemoval(id, undefined);
    } catch (error) {
      this.#setRemoval(id, failureOf(error));
    }
  }

  test(id: string): void {
    if (this.state.trials[id]?.state === "working") return;
    const trial = new AgentTrial(id, this.#app.daemon, (now) => this.#setTrial(id, now));
    this.#trials.set(id, trial);
    void trial.run();
  }

  cancelTest(id: string): void {
    this.#trials.get(id)?.cancel();
  }

  // What failed here may have been done by somebody else meanwhile.
  #forgetSolved(agents: readonly AgentInfo[]): void {
    for (const { id, installed } of agents) {
      const install = this.state.installs[id];
      if (installed && install?.state === "failed" && !install.replaces) this.#setInstall(id, undefined);
      if (!installed && install?.state === "done") this.#setInstall(id, undefined);
    }
  }

  #tell(id: string, news: InstallNews): void {
    const install = this.state.installs[id];
    if (install) this.#setInstall(id, installAfter(install, news));
  }

  #setInstall(id: string, install: Install | undefined): void {
    this.#set({ installs: changed(this.state.installs, id, install) });
  }

  #setTrial(id: string, trial: Trial | undefined): void {
    this.#set({ trials: changed(this.state.trials, id, trial) });
  }

  #setRemoval(id: string, removal: "working" | InstallFailure | undefined): void {
    this.#set({ removals: changed(this.state.removals, id, removal) });
  }

  #setListFailure(listFailure: InstallFailure | undefined): void {
    const { listFailure: _, ...rest } = this.state;
    this.state = rest;
    this.#set(listFailure ? { listFailure } : {});
  }

  #set(change: Partial<DeskState>): void {
    this.state = { ...this.state, ...change };
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    queueMicrotask(() => {
      this.#isDrawing = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

function changed<T>(all: Of<T>, id: string, value: T | undefined): Of<T> {
  const { [id]: _, ...rest } = all;
  return value === undefined ? rest : { ...rest, [id]: value };
}

// For how long a process runs is no news.
const textOfAll = (agents: readonly AgentInfo[]) =>
  JSON.stringify(agents, (key, value: unknown) => (key === "uptimeMs" ? 0 : value));
