// The effect layer: owns the store, the daemon's client, the watch, the stream and the browser's address, and turns what the user does into
// calls. Made once per page.
import { Daemon, SandboxAgentError, type AgentInfo } from "sandbox-agent/daemon";
import { firstState, sessionKey, type DialogName, type SideTab, type Theme } from "../state/app.js";
import type { Approvals } from "../state/approvals.js";
import type { Conversation } from "../state/conversation.js";
import { hrefOf, routeOf, type Route } from "../state/route.js";
import type { Here } from "../state/sections.js";
import { sessionRows, type SessionNote, type SessionRow } from "../state/session_list.js";
import { BackgroundQueue } from "./background_queue.js";
import { DaemonWatch } from "./daemon_watch.js";
import { keepDrafts, keptDrafts } from "./drafts.js";
import { Folders } from "./folders.js";
import { notedFetch } from "./http_log.js";
import { keep, kept } from "./kept.js";
import { SessionNotes } from "./session_notes.js";
import { SessionStart, type Wish } from "./session_start.js";
import { ShownInstance } from "./shown_instance.js";
import { Steps } from "./steps.js";
import { Store } from "./store.js";
import { applyTheme } from "./theme.js";
import { currentToken, rememberToken, takeTokenFromAddress } from "./token.js";
import { TurnActions } from "./turn_actions.js";

const mostFolders = 8;

export class App {
  readonly store: Store;
  readonly shown: ShownInstance;
  readonly turns: TurnActions;
  readonly notes: SessionNotes;
  readonly folders = new Folders(() => this.#daemon);
  readonly #steps = new Steps();
  readonly #watch: DaemonWatch;
  readonly #background: BackgroundQueue;
  #daemon = newDaemon();
  #start: SessionStart | undefined;
  #wish: Wish | undefined;
  #continues: SessionNote["continues"];
  /** Enter was pressed before the dialog for a new session could hear it. */
  isHurried = false;
  /** Asked before another address is gone to. False: whoever said so asks the user, and then goes on or stays. */
  mayGo: ((route: Route, goOn: () => void) => boolean) | undefined;
  #last: Here | undefined; // what Chat showed
  #isPresent = false; // the daemon has answered, with the token we have

  constructor() {
    this.store = new Store(
      firstState({
        route: routeOf(location),
        notes: kept("notes") ?? [],
        composers: keptDrafts(),
        theme: kept("theme") ?? "system",
        side: kept("side") ?? false,
      }),
    );
    const { route } = this.store.state;
    if (route.screen === "chat") this.#last = route;
    keepDrafts(this.store);
    const daemon = () => this.#daemon;
    this.#watch = new DaemonWatch(this.store, daemon, () => this.#onDaemon());
    this.shown = new ShownInstance(this.store, daemon, () => this.#watch.poke());
    this.shown.onHeard = () => this.#onHeard();
    this.#background = new BackgroundQueue(this.store, daemon);
    this.shown.onLeft = (serverId, sent) => this.#background.hold(serverId, sent);
    this.turns = new TurnActions(this.store, this.shown, this.#background);
    this.notes = new SessionNotes(this.store, this.shown);
    window.addEventListener("popstate", () => this.#stepped());
    window.addEventListener("hashchange", () => takeTokenFromAddress() && this.#useToken());
    if (kept("notify")) void import("./notifications.js").then(({ goOnNotifying }) => goOnNotifying(this), noMatter); // the tab's title says it too
    this.#watch.poke();
  }

  get daemon(): Daemon {
    return this.#daemon;
  }

  /** The conversation that the address means. */
  get conversation(): Conversation | undefined {
    const { route, shown } = this.store.state;
    if (route.screen !== "chat" || shown?.serverId !== route.serverId) return undefined;
    return route.sessionId === undefined ? shown?.view.latest : shown?.view.sessions.get(route.sessionId);
  }

  /** The session that Chat and Trace are about, also while another screen is shown. */
  get here(): Here {
    const serverId = this.shown.serverId;
    const { route } = this.store.state;
    if (serverId === undefined) return {};
    const sessionId = (route.screen === "chat" ? this.conversation : this.#lastSession(serverId))?.sessionId;
    return { serverId, ...(sessionId !== undefined && { sessionId }) };
  }

  /** The sessions that need the user. */
  get waiting(): SessionRow[] {
    return sessionRows(this.store.state).filter(({ group }) => group === "Needs you");
  }

  /** The session that Esc stops: the one that is shown, or on other screens one of its process. */
  get runningSession(): Conversation | undefined {
    const { route, shown } = this.store.state;
    if (route.screen === "chat") return this.conversation?.running && this.conversation;
    return [...(shown?.view.sessions.values() ?? [])].find(({ running }) => running !== undefined);
  }

  go(route: Route, how: "push" | "replace" = "push"): void {
    if (this.mayGo?.(route, () => this.go(route, how)) === false) return;
    const href = hrefOf(route);
    if (href !== location.pathname + location.search + location.hash) {
      if (how === "push") this.#steps.push(href);
      else this.#steps.replace(href);
    }
    this.#went();
  }

  retryDaemon(): void {
    this.#watch.poke();
  }

  enterToken(token: string, onThisDevice: boolean): void {
    rememberToken(token, onThisDevice);
    this.#useToken();
  }

  #useToken(): void {
    this.#daemon = newDaemon();
    this.#isPresent = false;
    this.#watch.poke();
  }

  async loadAgents(): Promise<void> {
    try {
      this.store.dispatch({ type: "agents", agents: { state: "ready", value: await this.#daemon.agents.list() } });
    } catch (error) {
      const { message, hint } = error as SandboxAgentError;
      this.store.dispatch({ type: "agents", agents: { state: "failed", message, ...(hint !== undefined && { hint }) } });
    }
  }

  openNew(): void {
    this.isHurried = false;
    this.store.dispatch({ type: "dialog", dialog: "new" });
    void this.loadAgents();
  }

  open(dialog: DialogName): void {
    this.store.dispatch({ type: "dialog", dialog });
  }

  closeDialog(): void {
    const { starting } = this.store.state;
    if (starting && (!starting.over || starting.failure)) this.#start?.cancel();
    this.#start = undefined;
    this.store.dispatch({ type: "start forgotten" });
    this.store.dispatch({ type: "dialog", dialog: undefined });
    this.#follow();
  }

  async startSession(wish: Wish, continues?: SessionNote["continues"]): Promise<void> {
    const { agent, cwd } = wish;
    this.store.dispatch({ type: "dialog", dialog: "new" });
    this.store.dispatch({ type: "start", agent, cwd });
    this.#start?.cancel();
    this.#wish = wish;
    this.#continues = continues;
    const start = new SessionStart(wish, this.#daemon, this.shown, (news) => {
      if (this.#start === start) this.store.dispatch({ type: "starting", news });
    });
    this.#start = start;
    this.#begun(await start.run());
  }

  /** The same again, after it failed. */
  retryStart(): void {
    if (this.#wish) void this.startSession(this.#wish, this.#continues);
  }

  async signInToStart(methodId: string): Promise<void> {
    this.#begun(await this.#start?.signIn(methodId));
  }

  /** A new process for a session whose process has ended. "load": with what the agent remembers, if it does. */
  async restart(session: Conversation, how: "load" | "anew" = "load"): Promise<void> {
    const { shown, agents } = this.store.state;
    if (!shown) return;
    this.store.dispatch({ type: "daemon", news: { type: "seen" } });
    const { serverId } = shown;
    const note = this.notes.find(serverId, session.sessionId);
    const agent = note?.agent ?? this.notes.agentOf(serverId);
    if (agent === undefined) return this.openNew();
    if (agents.state !== "ready") await this.loadAgents();
    const { sessionId } = session;
    const wish = {
      agent,
      cwd: session.settings.cwd || note?.cwd || "/",
      isInstalled: this.#isInstalled(agent),
      mcpServers: session.settings.mcpServers ?? [],
      ...(how === "load" && { load: sessionId }),
    };
    await this.startSession(wish, { serverId, sessionId });
  }

  /** Ends a process, whatever it does. Answers why it could not. */
  async endProcess(serverId: string): Promise<string | undefined> {
    let why: string | undefined;
    const view = this.shown.viewOf(serverId);
    if (view) view.isEndedHere = true;
    try {
      await this.#daemon.stop(serverId);
    } catch (error) {
      if (view) view.isEndedHere = false;
      const session = this.shown.serverId === serverId ? this.conversation : undefined;
      why = `Not ended: ${(error as SandboxAgentError).message}`;
      if (session) this.store.dispatch({ type: "unsent", session: sessionKey(serverId, session.sessionId), why });
    }
    this.#watch.poke();
    return why;
  }

  /** Removes a session that is over; with the last one of a process that has ended also that. */
  forget(serverId: string, sessionId: string): void {
    const ended = this.notes.forget(serverId, sessionId);
    if (ended !== undefined) void this.endProcess(ended);
    const { route } = this.store.state;
    if (route.screen === "chat" && route.serverId === serverId && route.sessionId === sessionId) this.go({ screen: "chat" });
  }

  setTheme(theme: Theme): void {
    this.store.dispatch({ type: "theme", theme });
    keep("theme", theme);
    applyTheme(theme);
  }

  side(open: boolean, tab?: SideTab, seq?: string): void {
    this.store.dispatch({ type: "side", change: { open, ...(tab && { tab }), ...(seq !== undefined && { seq }) } });
    keep("side", open);
  }

  /** Asks where the daemon works. */
  async findHome(): Promise<void> {
    const [{ path }, { directory }] = await Promise.all([this.#daemon.fs.stat("."), this.#daemon.status()]);
    this.folders.home = path;
    this.store.dispatch({ type: "home", home: directory === "" || directory === "/" ? path : directory });
  }

  approve(session: Conversation, approvals: Approvals): void {
    this.store.dispatch({ type: "approve", session: sessionKey(this.shown.serverId ?? "", session.sessionId), approvals });
    this.turns.approve(session);
  }

  // The one that was shown last of the process that is read.
  #lastSession(serverId: string): Conversation | undefined {
    const view = this.store.state.shown?.view;
    const isLast = this.#last?.serverId === serverId && this.#last.sessionId !== undefined;
    return isLast ? view?.sessions.get(this.#last!.sessionId!) : view?.latest;
  }

  #begun(begun: { serverId: string; sessionId: string } | undefined): void {
    if (!begun) return void (this.#start === undefined && this.#follow());
    this.#start = undefined;
    const { agent = "", cwd = "" } = this.#wish ?? {};
    keep("last", { agent, cwd });
    keep("folders", [cwd, ...(kept("folders") ?? []).filter((folder) => folder !== cwd)].slice(0, mostFolders));
    const from = this.#continues && sessionKey(this.#continues.serverId, this.#continues.sessionId);
    if (from !== undefined)
      this.store.dispatch({ type: "move composer", from, to: sessionKey(begun.serverId, begun.sessionId) });
    this.go({ screen: "chat", ...begun });
    this.notes.take({ sessionId: begun.sessionId, continues: this.#continues });
    this.store.dispatch({ type: "start forgotten" });
    this.store.dispatch({ type: "dialog", dialog: undefined });
    this.#watch.poke();
  }

  #isInstalled(agent: string): boolean {
    const { agents } = this.store.state;
    return agents.state === "ready" && agents.value.some(({ id, installed }: AgentInfo) => id === agent && installed);
  }

  // Back, Forward, or an address that was written. When the page may not go there, the browser comes back.
  #stepped(): void {
    const { away } = this.#steps;
    if (away === 0) return; // it came back
    if (this.mayGo?.(routeOf(location), () => history.go(away)) === false) history.go(-away);
    else this.#went();
  }

  #went(): void {
    this.#steps.arrive();
    const route = routeOf(location);
    if (route.screen === "chat") this.#last = route;
    this.store.dispatch({ type: "went", route });
    this.#follow();
  }

  // Reads the process that the address names.
  #follow(): void {
    const { route, daemon, starting } = this.store.state;
    if (!this.#isPresent || daemon.word === "unreachable") return;
    if (starting && !starting.failure) return; // its process is shown
    if (route.screen !== "chat" && route.screen !== "trace") return; // what was shown goes on behind the other screens
    if (route.serverId === undefined) return this.shown.clear();
    this.shown.show(route.serverId);
  }

  #onDaemon(): void {
    const isFirst = !this.#isPresent;
    this.#isPresent = true;
    if (isFirst) {
      void this.loadAgents();
      this.findHome().catch(noMatter); // the folder has to be written, then
      this.#follow();
    }
    this.shown.reconnect();
    this.#seekLostEnd();
    this.#tend();
    this.#background.flush();
  }

  // The answer to a prompt may be among events that were lost. The daemon knows whether one is still to come.
  #seekLostEnd(): void {
    const { shown, instances } = this.store.state;
    const instance = instances.find(({ serverId }) => serverId === shown?.serverId);
    const isCalm =
      shown?.stream === "live" && instance?.pendingRequests === 0 && instance.lastEventId === this.shown.link?.position;
    const torn = [...(shown?.view.sessions.values() ?? [])].filter(({ mayHaveEnded }) => mayHaveEnded);
    if (!isCalm || torn.length === 0) return;
    for (const session of torn) session.endUnseen();
    this.shown.redraw();
  }

  #onHeard(): void {
    this.#tend();
    this.notes.take();
    const session = this.conversation;
    if (!session) return;
    const { route } = this.store.state;
    if (route.screen === "chat" && route.sessionId === undefined && this.store.state.shown?.stream === "live")
      this.go({ ...route, sessionId: session.sessionId }, "replace");
  }

  // What the user wanted goes on in all sessions of the process, whichever screen is shown.
  #tend(): void {
    for (const session of this.store.state.shown?.view.sessions.values() ?? []) {
      this.turns.settle(session);
      this.turns.approve(session);
      this.turns.flushQueue(session);
    }
  }
}

const noMatter = () => {};

function newDaemon(): Daemon {
  const token = currentToken();
  return new Daemon({ baseUrl: location.origin, fetch: notedFetch, ...(token !== undefined && { token }) });
}
