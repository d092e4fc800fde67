// What is known of each session of a connection: given by the user, told by the agent, counted here. Lives as long as the client.
import type { SessionModes, SessionOption, SessionUpdate, SlashCommand } from "./protocol.js";

/** Key of our data in the metadata that travels with a session. */
export const metadataKey = "sandboxagent.dev";

/**
 * `title`, `model` and `mode` act when they are set. `agent`, `createdAt`, `updatedAt`, `ended`, `eventCount` and `model` are
 * always as they are. All other keys are kept and given back.
 */
export interface SessionMetadata {
  title?: string;
  model?: string;
  mode?: string;
  agent?: string;
  createdAt?: string;
  updatedAt?: string;
  ended?: boolean;
  eventCount?: number;
  variant?: string;
  requestedSessionId?: string;
  permissionMode?: string;
  skills?: unknown;
  agentVersionRequested?: string;
  [key: string]: unknown;
}

export interface SessionSummary {
  sessionId: string;
  cwd: string;
  title?: string;
  updatedAt?: string;
  additionalDirectories?: string[];
  metadata: SessionMetadata;
}

/** What the agent answers when a session begins, is loaded, resumed or forked. */
interface Offer {
  modes?: SessionModes | null;
  configOptions?: SessionOption[] | null;
  models?: {
    currentModelId?: string;
    availableModels?: { modelId: string; name: string; description?: string | null }[];
  } | null;
}

/** What is known of a session, as plain data. */
export interface SessionSnapshot extends Offer {
  createdAt: string;
  configOptions: SessionOption[];
  commands: SlashCommand[];
  metadata: SessionMetadata;
  title?: string;
}

export interface Model {
  modelId: string;
  name: string;
  description?: string;
}

type Choice = SessionOption & { type: "select" };

function valuesOf({ options }: Choice) {
  return options.flatMap((entry) => ("options" in entry ? entry.options : [entry]));
}

const derivedKeys = ["agent", "createdAt", "updatedAt", "ended", "eventCount"];

export class SessionRecord {
  cwd: string;
  ended = false;
  /** What the Session calls itself, once there is one. */
  named: { id?: string } = {};
  options: SessionOption[] = [];
  commands: SlashCommand[] = [];
  readonly #agent: string;
  #createdAt = new Date().toISOString();
  #touchedAt = Date.now();
  #eventCount = 0;
  #modes: SessionModes | undefined;
  #models: Offer["models"] = undefined;
  #toldTitle: string | undefined;
  #kept: SessionMetadata = {};

  constructor(
    readonly sessionId: string,
    agent: string,
    cwd: string,
  ) {
    this.#agent = agent;
    this.cwd = cwd;
  }

  offer({ modes, configOptions, models }: Offer): void {
    if (modes) this.#modes = { ...modes };
    if (configOptions) this.#optionsAre(configOptions);
    if (models) this.#models = models;
  }

  /** What a record of the same session elsewhere needs to know as much. */
  get snapshot(): SessionSnapshot {
    return {
      createdAt: this.#createdAt,
      configOptions: this.options,
      commands: this.commands,
      metadata: this.#kept,
      modes: this.#modes,
      models: this.#models,
      title: this.#toldTitle,
    };
  }

  restore(snapshot: SessionSnapshot): void {
    this.offer(snapshot);
    this.commands = snapshot.commands;
    this.#createdAt = snapshot.createdAt;
    this.#kept = { ...snapshot.metadata };
    this.#toldTitle = snapshot.title;
  }

  /** How many messages were heard of it. */
  get heard(): number {
    return this.#eventCount;
  }

  /** The option of this category that is a choice between values. */
  choice(category: string): Choice | undefined {
    return this.options.find((option): option is Choice => option?.category === category && option.type === "select");
  }

  /** The option that modes are set with: where the agent has no other way. */
  get modeChoice(): Choice | undefined {
    return this.#modes ? undefined : this.choice("mode");
  }

  /** The user's if there is one, else the agent's. */
  get title(): string | undefined {
    return this.#kept.title ?? this.#toldTitle;
  }

  get modes(): SessionModes | undefined {
    const choice = this.modeChoice;
    if (!choice) return this.#modes;
    const availableModes = valuesOf(choice).map(({ value, ...mode }) => ({ id: value, ...mode }));
    return { currentModeId: choice.currentValue, availableModes };
  }

  get models(): Model[] {
    const choice = this.choice("model");
    const models = choice
      ? valuesOf(choice).map(({ value, name, description }) => ({ modelId: value, name, description }))
      : (this.#models?.availableModels ?? []);
    return models.map(({ description, ...model }) => ({ ...model, ...(description && { description }) }));
  }

  get model(): string | undefined {
    return this.choice("model")?.currentValue ?? this.#models?.currentModelId ?? this.#kept.model;
  }

  /** No answer says it, so whoever set it does. */
  modelIs(modelId: string): void {
    if (this.#models) this.#models = { ...this.#models, currentModelId: modelId };
    this.#kept.model = modelId;
  }

  modeIs(modeId: string): void {
    if (this.#modes) this.#modes = { ...this.#modes, currentModeId: modeId };
  }

  keep(metadata: SessionMetadata): void {
    for (const [key, value] of Object.entries(metadata)) if (!derivedKeys.includes(key)) this.#kept[key] = value;
    this.touch();
  }

  touch(): void {
    this.#touchedAt = Date.now();
  }

  /** One message of the stream that names this session. */
  count(update: SessionUpdate | undefined): void {
    ++this.#eventCount;
    this.touch();
    if (update?.sessionUpdate === "session_info_update" && update.title) this.#toldTitle = update.title;
    if (update?.sessionUpdate === "current_mode_update") this.modeIs(update.currentModeId);
    if (update?.sessionUpdate === "available_commands_update") this.commands = update.availableCommands ?? [];
    if (update?.sessionUpdate === "config_option_update") this.#optionsAre(update.configOptions);
  }

  get metadata(): SessionMetadata {
    const { title, model } = this;
    const mode = this.modes?.currentModeId;
    return {
      ...this.#kept,
      ...(title !== undefined && { title }),
      ...(mode !== undefined && { mode }),
      ...(model !== undefined && { model }),
      agent: this.#agent,
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      ended: this.ended,
      eventCount: this.#eventCount,
    };
  }

  get #updatedAt(): string {
    return new Date(this.#touchedAt).toISOString();
  }

  get summary(): SessionSummary {
    const { sessionId, cwd, title } = this;
    return { sessionId, cwd, ...(title !== undefined && { title }), updatedAt: this.#updatedAt, metadata: this.metadata };
  }

  // An agent that has modes both ways need not tell them both ways.
  #optionsAre(options: SessionOption[]): void {
    if (!Array.isArray(options)) return; // an agent may write anything
    this.options = options;
    const mode = this.choice("mode")?.currentValue;
    if (this.#modes?.availableModes?.some(({ id }) => id === mode)) this.modeIs(mode as string);
  }
}
