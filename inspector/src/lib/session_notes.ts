// What this browser remembers of sessions, so that the list can show those that are not read, or over. Shared by all tabs.
import { sessionKey } from "../state/app.js";
import type { Conversation } from "../state/conversation.js";
import { withChange, withNote, withoutNote, type NoteChange, type SessionNote } from "../state/session_list.js";
import { noSettings, type Offer } from "../state/settings.js";
import { keep, kept, notesKey } from "./kept.js";
import { isOurName } from "./session_start.js";
import type { ShownInstance } from "./shown_instance.js";
import type { Store } from "./store.js";

export class SessionNotes {
  readonly #store: Store;
  readonly #shown: ShownInstance;
  readonly #offers = new WeakMap<Conversation, Offer>(); // as they were noted

  constructor(store: Store, shown: ShownInstance) {
    this.#store = store;
    this.#shown = shown;
    window.addEventListener("storage", ({ key }) => {
      if (key === notesKey) store.dispatch({ type: "notes", notes: kept("notes") ?? [] }); // another tab knows more
    });
  }

  find(serverId: string, sessionId: string): SessionNote | undefined {
    return this.#store.state.notes.find((note) => note.serverId === serverId && note.sessionId === sessionId);
  }

  /** What to call a session: as the user does, else as it calls itself. */
  titleOf(serverId: string, { sessionId, title }: { sessionId: string; title: string }): string {
    return this.find(serverId, sessionId)?.name ?? title;
  }

  /** Which agent a process is, as far as is known. */
  agentOf(serverId: string): string | undefined {
    const { instances, notes, starting, shown } = this.#store.state;
    const isOf = (known: { serverId: string }) => known.serverId === serverId;
    return (instances.find(isOf) ?? notes.find(isOf) ?? (shown?.serverId === serverId ? starting : undefined))?.agent;
  }

  /** Notes the sessions of the process that is shown. `continued`: one of them goes on with a session of before. */
  take(continued?: { readonly sessionId: string; readonly continues: SessionNote["continues"] }): void {
    const { shown, instances } = this.#store.state;
    if (!shown) return;
    const { serverId, view } = shown;
    const instanceId = this.#shown.link?.instanceId ?? instances.find((known) => known.serverId === serverId)?.instanceId;
    const agent = this.agentOf(serverId);
    if (instanceId === undefined || agent === undefined) return;
    for (const session of view.sessions.values()) {
      const { sessionId, title, settings } = session;
      const known = this.find(serverId, sessionId);
      const continues = continued?.sessionId === sessionId ? continued.continues : undefined;
      const name = continues && this.find(continues.serverId, continues.sessionId)?.name;
      this.#keep({
        serverId,
        sessionId,
        instanceId,
        agent,
        title,
        cwd: settings.cwd ?? known?.cwd ?? "",
        createdAt: known?.createdAt ?? Date.now(),
        isForeign: known?.isForeign ?? !(continued || this.#isMadeHere(serverId, instanceId)),
        ...this.#newOffer(session, view.introduction),
        ...(continues && { continues }),
        ...(name !== undefined && { name }),
      });
    }
  }

  /** Forgets a session. If that was the last one of a process that has ended: its name, for nobody needs it any more. */
  forget(serverId: string, sessionId: string): string | undefined {
    const instanceId = this.find(serverId, sessionId)?.instanceId;
    this.#store.dispatch({ type: "forget note", serverId, sessionId });
    keep("notes", withoutNote(kept("notes") ?? [], serverId, sessionId));
    const { [sessionKey(serverId, sessionId)]: _, ...composers } = kept("composers") ?? {}; // another tab's too
    keep("composers", composers);
    const { notes, instances } = this.#store.state;
    const isOf = (known: { instanceId: string }) => known.instanceId === instanceId;
    return instances.some((known) => isOf(known) && known.status === "exited") && !notes.some(isOf) ? serverId : undefined;
  }

  change(session: { readonly serverId: string; readonly sessionId: string }, change: NoteChange): void {
    this.#store.dispatch({ type: "notes", notes: withChange(this.#store.state.notes, session, change) });
    keep("notes", withChange(kept("notes") ?? [], session, change));
  }

  // By this browser: it is being started in this tab, or a session of it is known to be ours.
  #isMadeHere(serverId: string, instanceId: string): boolean {
    const { starting, notes } = this.#store.state;
    return (
      (starting !== undefined && isOurName(serverId)) ||
      notes.some((note) => note.instanceId === instanceId && note.isForeign === false)
    );
  }

  // Not each time: it is long.
  #newOffer(session: Conversation, introduction: SessionNote["introduction"]): Partial<SessionNote> {
    const { options, commands } = session.settings;
    const before = this.#offers.get(session) ?? noSettings;
    if (before.options === options && before.commands === commands) return {};
    const offer = { options, commands };
    this.#offers.set(session, offer);
    return { offer, ...(introduction && { introduction }) };
  }

  #keep(note: SessionNote): void {
    const before = this.#store.state.notes;
    this.#store.dispatch({ type: "note", note });
    if (this.#store.state.notes !== before) keep("notes", withNote(kept("notes") ?? [], note));
  }
}
