// The process this tab reads, and the few it read before. One is listened to at a time; the stream of one that was left ends when what is
// on its way to it was sent. A view that was left keeps what it heard, and goes on from there when it is shown again.
import type { AcpHttpError, AcpHttpState } from "acp-http-client";
import type { Daemon } from "sandbox-agent/daemon";
import { fieldsOf, keyOf } from "../state/json_rpc.js";
import { InstanceView } from "../state/instance.js";
import type { SessionNote } from "../state/session_list.js";
import { farBehind, InstanceLink } from "./instance_link.js";
import type { Store } from "./store.js";

const mostKept = 4; // views of processes that are not shown
const mostCharacters = 48_000_000; // of what they heard
const seldomMs = 250; // so often is drawn while much is still to be read
export const clientName = "sandbox-agent-inspector";
const answerable = new Set(["session/request_permission", "elicitation/create", "_sandboxagent/session/request_question"]);

interface Place {
  readonly view: InstanceView;
  position: number;
  instanceId: string | undefined;
  /** Requests that nobody here can serve: refused when no one else did. */
  readonly unserved: Map<string, { id: unknown; method: string }>;
  looked: number;
  /** Its process has ended, and everything it said was heard. */
  isOver: boolean;
}

export class ShownInstance {
  readonly #store: Store;
  readonly #daemon: () => Daemon;
  readonly #poke: () => void;
  readonly #places = new Map<string, Place>(); // the last one is the newest
  #link: InstanceLink | undefined;
  #replayTo = 0;
  #telling: { readonly place: Place; readonly isSoon: boolean; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  /** Called when the shown process said something. */
  onHeard = () => {};
  /** Called when a process is left while something is on its way to it, which is over when `sent` resolves. */
  onLeft = (_serverId: string, _sent: Promise<void>) => {};

  constructor(store: Store, daemon: () => Daemon, poke: () => void) {
    this.#store = store;
    this.#daemon = daemon;
    this.#poke = poke;
  }

  get link(): InstanceLink | undefined {
    return this.#link;
  }

  get serverId(): string | undefined {
    return this.#store.state.shown?.serverId;
  }

  /** The view of a process that was read in this tab before. */
  viewOf(serverId: string): InstanceView | undefined {
    return this.#places.get(serverId)?.view;
  }

  /** Reads the stream of a process that runs. Nothing happens if it is read already. */
  show(serverId: string): void {
    const { shown, instances } = this.#store.state;
    if (shown?.serverId === serverId && this.#link) return;
    const listed = instances.find((instance) => instance.serverId === serverId);
    const known = this.#places.get(serverId);
    this.leave();
    if (!listed) return this.#presentGone(this.#place(serverId));
    const isSame = known !== undefined && (known.instanceId ?? listed.instanceId) === listed.instanceId;
    const place = this.#place(serverId, !isSame);
    this.#replayTo = Math.max(listed.lastEventId, 0);
    if (place.isOver) return this.#presentEnded(place);
    this.#present(place, "connecting", Math.max(0, this.#replayTo - place.position));
    if (place.view.log.version > 0)
      this.#connect(place, { resume: { position: place.position, instanceId: place.instanceId } });
    else this.#connect(place, {});
    this.#link!.read();
  }

  /** Starts a process and shows it; the first request of the link makes it. */
  start(serverId: string, agent: string): InstanceLink {
    this.leave();
    this.#replayTo = 0;
    const place = this.#place(serverId, true);
    this.#present(place, "connecting", 0);
    return this.#connect(place, { agent });
  }

  /** Stops reading; what was heard is kept for a while. */
  leave(): void {
    this.#remember();
    const sent = this.#link?.leave();
    if (sent) this.onLeft(this.serverId!, sent);
    this.#link = undefined;
  }

  /** Nothing is shown any more. */
  clear(): void {
    this.leave();
    this.#store.dispatch({ type: "show", shown: undefined });
  }

  /** After the daemon answered: a link that was refused is made anew where it was. */
  reconnect(): void {
    const { shown } = this.#store.state;
    if (!shown || this.#link) return;
    const isOver = shown.stream === "ended" || shown.stream === "gone";
    const listed = this.#store.state.instances.find(({ serverId }) => serverId === shown.serverId);
    const known = this.#places.get(shown.serverId)?.instanceId;
    if (isOver && (!listed || listed.instanceId === known)) return; // else there is another process of that name
    this.show(shown.serverId);
  }

  /** Something changed that no message told. */
  redraw(): void {
    this.#store.dispatch({ type: "shown", change: {} });
  }

  async lookAtStderr(serverId: string): Promise<void> {
    if (this.#store.state.starting?.over === false) return; // who starts it asks for its words, and ends it
    try {
      const daemon = this.#daemon();
      const listed = await daemon.instances(); // what was stopped is forgotten, and its words with it
      if (this.serverId !== serverId || !listed.some((instance) => instance.serverId === serverId)) return;
      const stderr = await daemon.stderr(serverId);
      if (this.serverId === serverId) this.#store.dispatch({ type: "shown", change: { stderr } });
    } catch {
      // nobody can be asked
    }
  }

  #place(serverId: string, isNew = false): Place {
    const known = isNew ? undefined : this.#places.get(serverId);
    const place = known ?? {
      view: new InstanceView(serverId, undefined, (sessionId) => this.#remembered(serverId, sessionId)),
      position: 0,
      instanceId: undefined,
      unserved: new Map(),
      looked: 0,
      isOver: false,
    };
    this.#places.delete(serverId);
    this.#dropOldest();
    this.#places.set(serverId, place);
    return place;
  }

  // Of the process that has that name now.
  #remembered(serverId: string, sessionId: string): SessionNote | undefined {
    const { notes, instances } = this.#store.state;
    const listed = instances.find((instance) => instance.serverId === serverId);
    return notes.find((note) => note.sessionId === sessionId && note.instanceId === listed?.instanceId);
  }

  #dropOldest(): void {
    const kept = [...this.#places].reverse();
    let characters = 0;
    for (const [index, [serverId, { view }]] of kept.entries()) {
      characters += view.log.characters;
      if (index >= mostKept || characters > mostCharacters) this.#places.delete(serverId);
    }
  }

  #present({ view }: Place, stream: "connecting" | "ended" | "gone", behind: number): void {
    this.#store.dispatch({ type: "show", shown: { serverId: view.serverId, view, version: view.version, stream, behind } });
  }

  #presentGone(place: Place): void {
    for (const session of place.view.sessions.values()) session.loseProcess();
    this.#present(place, "gone", 0);
  }

  #presentEnded(place: Place): void {
    this.#present(place, "ended", 0);
    void this.lookAtStderr(place.view.serverId);
  }

  #connect(place: Place, how: { resume?: { position: number; instanceId: string | undefined }; agent?: string }): InstanceLink {
    const { baseUrl, token } = this.#daemon();
    const isCurrent = (): boolean => this.#link === link;
    const link: InstanceLink = new InstanceLink({
      view: place.view,
      baseUrl,
      token,
      ...how,
      replayTo: this.#replayTo,
      onHeard: () => isCurrent() && this.#heard(place),
      onState: (state) => isCurrent() && this.#onState(state),
      onEnd: (failure) => isCurrent() && this.#onEnd(place, failure),
    });
    this.#link = link;
    return link;
  }

  #heard(place: Place): void {
    const isSoon = this.#behind <= farBehind;
    if (this.#telling?.place === place && this.#telling.isSoon === isSoon) return;
    clearTimeout(this.#telling?.timer);
    // Told once, when the messages that are there have been heard.
    const timer = setTimeout(() => this.#tell(place), isSoon ? 0 : seldomMs);
    this.#telling = { place, isSoon, timer };
  }

  #tell(place: Place): void {
    this.#telling = undefined;
    const { shown } = this.#store.state;
    if (shown?.view !== place.view) return;
    this.#serve(place);
    const behind = this.#behind;
    const { stream } = shown;
    const word =
      stream === "live" || stream === "catching up" ? ({ stream: behind > 0 ? "catching up" : "live" } as const) : {};
    this.#store.dispatch({ type: "shown", change: { version: place.view.version, behind, ...word } });
    this.onHeard();
  }

  get #behind(): number {
    return Math.max(0, this.#replayTo - (this.#link?.position ?? 0));
  }

  // What the agent asks its client for and this page cannot do is refused, so that it does not wait for nobody; but only by the
  // page whose process it is: another client may be about to serve it.
  #serve(place: Place): void {
    const { entries, dropped } = place.view.log;
    for (place.looked = Math.max(place.looked, dropped); place.looked < dropped + entries.length; ++place.looked) {
      const { from, message } = entries[place.looked - dropped]!;
      const { id, method } = fieldsOf(message);
      if (id === undefined) continue;
      if (from === "agent" && typeof method === "string" && !answerable.has(method))
        place.unserved.set(keyOf(id), { id, method });
      if (from === "client" && method === undefined) place.unserved.delete(keyOf(id));
    }
    const isOurs = place.view.introduction?.client === clientName;
    if (!isOurs || (this.#link?.position ?? 0) < this.#replayTo) return;
    for (const { id, method } of place.unserved.values()) this.#link?.refuse(id, method).catch(() => {});
    place.unserved.clear();
  }

  #onState(state: AcpHttpState): void {
    const words = {
      connecting: "connecting",
      open: this.#behind > 0 ? "catching up" : "live",
      reconnecting: "reconnecting",
    } as const;
    if (state === "reconnecting") this.#poke();
    if (state !== "closed") this.#store.dispatch({ type: "shown", change: { stream: words[state] } });
  }

  #onEnd(place: Place, failure: AcpHttpError): void {
    this.#remember();
    this.#link = undefined;
    const { serverId } = place.view;
    if (failure.status === 401) {
      this.#store.dispatch({ type: "shown", change: { stream: "reconnecting" } });
      return this.#poke();
    }
    const isOver = failure.code === "agent_process_exited";
    place.isOver = isOver;
    if (!isOver) for (const session of place.view.sessions.values()) session.loseProcess();
    const failed = isOver || failure.status === 404 ? {} : { failure: failure.message };
    this.#store.dispatch({
      type: "shown",
      change: { stream: isOver ? "ended" : "gone", version: place.view.version, ...failed },
    });
    if (isOver) void this.lookAtStderr(serverId);
    this.#poke();
    this.onHeard();
  }

  #remember(): void {
    const place = this.serverId === undefined ? undefined : this.#places.get(this.serverId);
    if (!place || !this.#link) return;
    place.position = this.#link.position;
    place.instanceId = this.#link.instanceId ?? place.instanceId;
  }
}
