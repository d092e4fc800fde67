// What is offered while one writes: commands after "/", files after "@". The focus stays in the field; arrows choose, Enter and Tab
// take, Esc closes. The field may be ahead of what was drawn, so keys look at its own text.
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { commandsFor, type ComposerNews } from "../../state/composer.js";
import { mentionAt, mentionOf, withMention, type MentionAt } from "../../state/mention.js";
import type { Command } from "../../state/settings.js";

interface Wants {
  readonly draft: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly commands: readonly Command[];
  readonly folder: string | undefined;
  readonly compose: (news: ComposerNews) => void;
}

type Find = (query: string) => readonly string[];

export type Suggesting = ReturnType<typeof useSuggesting>;

export function useSuggesting({ draft, field, commands, folder, compose }: Wants) {
  const [isHidden, hide] = useState(false);
  const [chosen, choose] = useState(0);
  const [caret, setCaret] = useState(0);
  const [shownPaths, setShownPaths] = useState(0); // how many files are listed
  const find = useRef<Find>(() => []); // the list's own search, while it is there
  const offered = isHidden ? [] : commandsFor(draft, commands);
  const command = offered[Math.min(chosen, offered.length - 1)];
  const mention = isHidden || offered.length > 0 ? undefined : mentionAt(draft, caret);
  const path = Math.min(chosen, shownPaths - 1);

  const wrote = (text: string) => {
    compose({ type: "typed", text });
    hide(false);
    choose(0);
    setCaret(field.current?.selectionStart ?? text.length);
  };
  const takeCommand = ({ name, hint }: Command) => {
    wrote(`/${name}${hint === undefined ? "" : " "}`);
    hide(true);
    field.current?.focus();
  };
  const takePath = (taken: string, at: MentionAt | undefined = mention) => {
    const area = field.current;
    if (!area || !at || folder === undefined) return;
    const next = withMention(area.value, at, taken);
    area.value = next.text;
    area.setSelectionRange(next.caret, next.caret);
    compose({ type: "mentioned", text: next.text, mention: mentionOf(folder, taken) });
    setCaret(next.caret);
    choose(0);
    area.focus();
  };

  /** Whether the key was for the list. */
  const takeKey = (event: KeyboardEvent): boolean => {
    const text = field.current?.value ?? draft;
    const isAsDrawn = text === draft;
    if (isHidden && isAsDrawn) return false;
    const names = commandsFor(text, commands);
    const at = names.length > 0 ? undefined : mentionAt(text, field.current?.selectionStart ?? text.length);
    const paths = at ? find.current(at.query) : [];
    const count = names.length || paths.length;
    const place = Math.min(isAsDrawn ? chosen : 0, count - 1);
    const isArrow = (event.key === "ArrowDown" || event.key === "ArrowUp") && !event.ctrlKey && !event.metaKey;
    if (event.key === "Escape" && (count > 0 || at)) hide(true);
    else if (count === 0 || event.shiftKey) return false;
    else if (isArrow) choose((place + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
    else if (at && (event.key === "Tab" || event.key === "Enter")) takePath(paths[place]!, at);
    else if (!at && (event.key === "Tab" || (event.key === "Enter" && text !== `/${names[place]!.name}`)))
      takeCommand(names[place]!);
    else return false;
    event.preventDefault();
    return true;
  };

  const list = command ? "commands" : mention && shownPaths > 0 ? "mentions" : undefined;
  return {
    commands: offered,
    command,
    mention,
    /** The place of the chosen file in the list. */
    path,
    takeCommand,
    takePath,
    takeKey,
    /** The list says what it shows, and how it finds. */
    onListed(count: number, how: Find) {
      find.current = how;
      setShownPaths(count);
    },
    onInput: (event: { currentTarget: HTMLTextAreaElement }) => wrote(event.currentTarget.value),
    onCaret: (event: { currentTarget: HTMLTextAreaElement }) => setCaret(event.currentTarget.selectionStart),
    aria: {
      "aria-autocomplete": "list",
      "aria-controls": list,
      "aria-activedescendant": command ? `command-${command.name}` : list && `mention-${path}`,
    } as const,
  };
}
