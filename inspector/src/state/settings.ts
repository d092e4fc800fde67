// What a session offers and how it is set: modes, models, other options, commands, title, usage. Made from the raw messages of the
// session alone, so it is the same after a reload and in a second tab.
import { fieldsOf, keyOf, listOf, numberOf, textOf, type Fields } from "./json_rpc.js";
import type { LogEntry } from "./log.js";

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

/** Something to choose. `how`: which request changes it. */
export interface Option {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly current: string;
  readonly choices: readonly Choice[];
  readonly how: "option" | "mode" | "model";
  /** Asked for, and not confirmed yet. */
  readonly wanted?: string;
}

export interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
}

export interface Usage {
  readonly used: number;
  readonly size?: number;
  readonly cost?: string;
}

export interface Settings {
  readonly cwd?: string;
  /** The MCP servers it was begun with, as they were sent. */
  readonly mcpServers?: readonly unknown[];
  readonly title?: string;
  readonly options: readonly Option[];
  readonly commands: readonly Command[];
  readonly usage?: Usage;
  /** Why the last change was refused. */
  readonly refusal?: string;
}

/** What a session offers, kept for when its log has lost its beginning. */
export type Offer = Pick<Settings, "options" | "commands">;

export const noSettings: Settings = { options: [], commands: [] };

interface Asked {
  readonly method: string;
  readonly params: Fields;
}

/** Follows one session. Requests of clients are remembered until they are answered. */
export class SettingsReader {
  settings: Settings = noSettings;
  readonly #asked = new Map<string, Asked>();

  /** Before anything is heard: what is known of the session from before. */
  begin({ options, commands }: Offer, cwd: string): void {
    const settled = options.map(({ wanted: _, ...option }) => option); // whether it was granted may be lost, too
    this.settings = { options: settled, commands, cwd };
  }

  hear({ from, message }: LogEntry): void {
    const { method, id, params, result, error } = fieldsOf(message);
    if (from === "client" && typeof method === "string") this.#request(id, { method, params: fieldsOf(params) });
    else if (from === "agent" && method === "session/update") this.#update(fieldsOf(fieldsOf(params)["update"]));
    else if (from === "agent" && method === undefined) this.#answer(keyOf(id), fieldsOf(result), error);
  }

  #request(id: unknown, asked: Asked): void {
    const { method, params } = asked;
    if (id !== undefined && /^session\/(new|load|resume|fork|set_)/.test(method)) this.#asked.set(keyOf(id), asked);
    const change = changeOf(asked);
    if (change && id !== undefined) this.#mark(change);
    const cwd = textOf(params["cwd"]);
    if (cwd !== undefined && /^session\/(new|load|resume|fork)$/.test(method))
      this.settings = { ...this.settings, cwd, mcpServers: listOf(params["mcpServers"]) };
  }

  #answer(key: string, result: Fields, error: unknown): void {
    const asked = this.#asked.get(key);
    if (!asked) return;
    this.#asked.delete(key);
    const change = changeOf(asked);
    if (change) this.#changed(change, result, error);
    else if (error === undefined) this.#offer(result);
  }

  #changed(change: Change, result: Fields, error: unknown): void {
    this.#answered(change);
    if (error !== undefined) {
      this.settings = { ...this.settings, refusal: textOf(fieldsOf(error)["message"]) ?? "The agent refused the change." };
      return;
    }
    const { refusal: _, ...settings } = this.settings;
    this.settings = settings;
    if (Array.isArray(result["configOptions"])) this.#offer(result);
    else this.#set(change.how, change.id, change.value);
  }

  #offer({ modes, models, configOptions }: Fields): void {
    let { options } = this.settings;
    if (Array.isArray(configOptions)) options = options.filter(({ how }) => how !== "option").concat(optionsOf(configOptions));
    if (modes !== undefined && modes !== null) options = replaced(options, modesOf(fieldsOf(modes)));
    if (models !== undefined && models !== null) options = replaced(options, modelsOf(fieldsOf(models)));
    const covered = new Set(options.flatMap(({ how, category }) => (how === "option" ? [category] : [])));
    const isShown = ({ how, category, choices }: Option) => choices.length > 0 && (how === "option" || !covered.has(category));
    this.settings = { ...this.settings, options: options.filter(isShown).map((option) => this.#stillWanted(option)) };
  }

  // An offer that comes while a change waits for its answer does not undo the wish.
  #stillWanted(option: Option): Option {
    const wanted = this.settings.options.find(({ how, id }) => how === option.how && id === option.id)?.wanted;
    return wanted === undefined || wanted === option.current ? option : { ...option, wanted };
  }

  #update(update: Fields): void {
    switch (update["sessionUpdate"]) {
      case "current_mode_update":
        return this.#set("mode", "mode", textOf(update["currentModeId"]) ?? "");
      case "config_option_update":
        return this.#offer({ configOptions: update["configOptions"] });
      case "available_commands_update":
        this.settings = { ...this.settings, commands: commandsOf(update["availableCommands"]) };
        return;
      case "usage_update":
        this.settings = { ...this.settings, usage: usageOf(update) };
        return;
      case "session_info_update": {
        const { title: before, ...settings } = this.settings;
        const title = update["title"] === null ? "" : (textOf(update["title"])?.trim() ?? before ?? "");
        this.settings = { ...settings, ...(title !== "" && { title }) };
        return;
      }
      default:
    }
  }

  #set(how: Option["how"], id: string, value: string): void {
    const options = this.settings.options.map((option) => {
      const isMeant = option.how === how ? option.id === id : how !== "option" && option.category === how;
      return isMeant && option.choices.some((choice) => choice.value === value) ? { ...option, current: value } : option;
    });
    this.settings = { ...this.settings, options };
  }

  #mark({ how, id, value }: Change): void {
    const isMeant = (option: Option) => option.how === how && option.id === id;
    const options = this.settings.options.map((option) => (isMeant(option) ? { ...option, wanted: value } : option));
    this.settings = { ...this.settings, options };
  }

  // A later wish stays.
  #answered({ how, id, value }: Change): void {
    const options = this.settings.options.map((option) => {
      if (option.how !== how || option.id !== id || option.wanted !== value) return option;
      const { wanted: _, ...rest } = option;
      return rest;
    });
    this.settings = { ...this.settings, options };
  }
}

interface Change {
  readonly how: Option["how"];
  readonly id: string;
  readonly value: string;
}

function changeOf({ method, params }: Asked): Change | undefined {
  const text = (name: string) => textOf(params[name]) ?? "";
  if (method === "session/set_config_option") return { how: "option", id: text("configId"), value: text("value") };
  if (method === "session/set_mode") return { how: "mode", id: "mode", value: text("modeId") };
  if (method === "session/set_model") return { how: "model", id: "model", value: text("modelId") };
  return undefined;
}

/** The request that changes an option. */
export function changeRequest(sessionId: string, { how, id }: Option, value: string): { method: string; params: Fields } {
  if (how === "mode") return { method: "session/set_mode", params: { sessionId, modeId: value } };
  if (how === "model") return { method: "session/set_model", params: { sessionId, modelId: value } };
  return { method: "session/set_config_option", params: { sessionId, configId: id, value } };
}

const replaced = (options: readonly Option[], option: Option) => [...options.filter(({ how }) => how !== option.how), option];

function optionsOf(list: unknown[]): Option[] {
  return list.map(fieldsOf).flatMap((option): Option[] => {
    const { type } = option;
    const choices = listOf(option["options"]).flatMap(choicesOf);
    const id = textOf(option["id"]);
    if ((type !== undefined && type !== "select") || id === undefined) return [];
    const current = textOf(option["currentValue"]) ?? "";
    return [
      { id, name: textOf(option["name"]) ?? id, category: textOf(option["category"]) ?? id, current, choices, how: "option" },
    ];
  });
}

// Choices may come in groups.
function choicesOf(value: unknown): Choice[] {
  const choice = fieldsOf(value);
  if (Array.isArray(choice["options"])) return listOf(choice["options"]).flatMap(choicesOf);
  return choiceOf(choice["value"], choice);
}

function choiceOf(value: unknown, { name, description }: Fields): Choice[] {
  if (typeof value !== "string") return [];
  return [{ value, name: textOf(name) ?? value, ...(typeof description === "string" && { description }) }];
}

function modesOf({ currentModeId, availableModes }: Fields): Option {
  const choices = listOf(availableModes)
    .map(fieldsOf)
    .flatMap((mode) => choiceOf(mode["id"], mode));
  return { id: "mode", name: "Mode", category: "mode", current: textOf(currentModeId) ?? "", choices, how: "mode" };
}

function modelsOf({ currentModelId, availableModels }: Fields): Option {
  const choices = listOf(availableModels)
    .map(fieldsOf)
    .flatMap((model) => choiceOf(model["modelId"], model));
  return { id: "model", name: "Model", category: "model", current: textOf(currentModelId) ?? "", choices, how: "model" };
}

function commandsOf(list: unknown): Command[] {
  return listOf(list)
    .map(fieldsOf)
    .flatMap(({ name, description, input }): Command[] => {
      const hint = textOf(fieldsOf(input)["hint"]);
      if (typeof name !== "string") return [];
      return [{ name, description: textOf(description) ?? "", ...(hint !== undefined && { hint }) }];
    });
}

function usageOf(update: Fields): Usage {
  const cost = fieldsOf(update["cost"]);
  const amount = numberOf(cost["amount"]);
  const size = numberOf(update["size"]);
  return {
    used: numberOf(update["used"]) ?? 0,
    ...(size !== undefined && { size }),
    ...(amount !== undefined && { cost: `${amount.toFixed(4)} ${textOf(cost["currency"]) ?? ""}`.trim() }),
  };
}
