// What is at the path: its name, what can be done with it, and its content.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileDesk } from "../../lib/file_desk.js";
import type { Look } from "../../lib/file_look.js";
import { useFileTree } from "../../lib/file_trees.js";
import { CopyButton } from "../../parts/copy_button.js";
import { Icon } from "../../parts/icon.js";
import { nameOf, parentOf, shownName, shownNameOf } from "../../state/file_paths.js";
import { sizeWords } from "../../state/size_words.js";
import { languageOf } from "../../state/file_text.js";
import { RouteLink } from "../route_link.js";
import { DownloadButton } from "./download_button.js";
import { Editor } from "./editor.js";
import type { Asked } from "./file_dialogs.js";
import { ProblemCard } from "../problem_card.js";
import { FolderView } from "./folder_view.js";
import { HexView } from "./hex_view.js";
import { PictureView } from "./picture_view.js";
import { TextView } from "./text_view.js";

export interface FilePaneProps {
  readonly look: Look;
  readonly desk: FileDesk;
  /** It was just made: it is opened to be written. */
  readonly isFresh: boolean;
  /** Where to go when there is nothing. */
  readonly start: string;
  readonly onAsk: (asked: Asked) => void;
  readonly onAgain: () => void;
  readonly onSaid: (said: string) => void;
}

export function FilePane(props: FilePaneProps) {
  const { look, desk, onAsk, onAgain } = props;
  // What is edited stays so, whatever is found when the path is looked at again.
  const [edited, setEdited] = useState(props.isFresh && look.kind === "text" ? look : undefined);
  const tree = useFileTree(desk.trees);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !edited) editButton.current?.focus();
    wasEdited.current = edited !== undefined;
  }, [edited]);
  const { path } = look;
  if (edited) {
    const close = () => {
      setEdited(undefined);
      onAgain();
    };
    return <Editor path={path} opened={edited} desk={desk} onClose={close} onSaid={props.onSaid} />;
  }
  const entry = tree.folders.get(parentOf(path))?.entries?.find((entry) => entry.path === path);
  const link = entry?.symlink;
  if (look.kind === "failed") return <Failed {...props} look={look} link={link} />;
  const isFolder = look.kind === "folder";
  return (
    <section class="files-shown" aria-label={shownNameOf(path)}>
      <PaneHead look={look} link={link}>
        {look.kind === "text" && (
          <button type="button" class="button" ref={editButton} onClick={() => setEdited(look)}>
            <Icon name="edit" /> Edit
          </button>
        )}
        {!isFolder && look.kind !== "special" && <DownloadButton path={path} desk={desk} onSaid={props.onSaid} />}
        {path !== "/" && <PlaceButtons path={path} isFolder={isFolder} link={link} onAsk={onAsk} />}
      </PaneHead>
      <Content look={look} desk={desk} onAsk={onAsk} />
    </section>
  );
}

interface PlaceButtonsProps extends Pick<FilePaneProps, "onAsk"> {
  readonly path: string;
  readonly isFolder: boolean;
  readonly link: string | undefined;
}

function PlaceButtons({ path, isFolder, link, onAsk }: PlaceButtonsProps) {
  return (
    <>
      <button type="button" class="button" onClick={() => onAsk({ kind: "move", path })}>
        <Icon name="move" /> Rename or move
      </button>
      <button
        type="button"
        class="button button-bad"
        onClick={() => onAsk({ kind: "delete", path, isFolder, ...(link !== undefined && { link }) })}
      >
        <Icon name="delete" /> Delete
      </button>
    </>
  );
}

function PaneHead({ look, link, children }: { look: Look; link: string | undefined; children: ComponentChildren }) {
  if (look.kind === "failed") return null;
  const { size, modified, mode } = look.stat;
  const words = [
    ...(look.kind === "folder" ? ["folder"] : [sizeWords(size)]),
    ...(look.kind === "text" && look.content.ends !== "LF" ? [`${look.content.ends} line ends`] : []),
    ...(look.kind === "picture" ? [look.type] : []),
    ...(look.kind === "bytes" ? ["no text"] : []),
    ...(link === undefined ? [] : [`link to ${shownName(link)}`]),
    mode,
    `changed ${new Date(modified).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" })}`, // 2026-01-31 09:05
  ];
  return (
    <header class="files-shown-head">
      {look.kind !== "folder" && (
        <p class="files-back">
          <RouteLink class="button" route={{ screen: "files", path: parentOf(look.path) }}>
            <Icon name="to-folder" /> Back to folder
          </RouteLink>
        </p>
      )}
      <div class="files-shown-words">
        <h2 tabIndex={-1}>{shownNameOf(look.path)}</h2>
        <p class="quiet">{words.join(" · ")}</p>
      </div>
      <div class="buttons">{children}</div>
    </header>
  );
}

function Content({ look, desk, onAsk }: Pick<FilePaneProps, "look" | "desk" | "onAsk">) {
  switch (look.kind) {
    case "folder":
      return <FolderView path={look.path} trees={desk.trees} onAsk={onAsk} />;
    case "text":
      return <TextView text={look.content.text} language={languageOf(nameOf(look.path))} name={shownNameOf(look.path)} />;
    case "head":
      return (
        <>
          <p class="files-note">
            Too large to show whole ({sizeWords(look.stat.size)}). This is its beginning, {sizeWords(look.bytes)}; download it
            for the rest.
          </p>
          <TextView text={look.content.text} language={languageOf(nameOf(look.path))} name={shownNameOf(look.path)} />
        </>
      );
    case "picture":
      return <PictureView bytes={look.bytes} type={look.type} name={shownNameOf(look.path)} />;
    case "bytes":
      return <HexView head={look.head} size={look.stat.size} />;
    case "special":
      return <p class="files-note">This is no plain file but a {look.stat.special}: it has no content to show.</p>;
    case "failed":
      return null;
  }
}

interface FailedProps extends FilePaneProps {
  readonly look: Extract<Look, { kind: "failed" }>;
  /** The folder has a link of this name, which leads there. */
  readonly link: string | undefined;
}

function Failed({ look, link, start, onAgain, onAsk }: FailedProps) {
  const { path, problem, isMissing, nearest } = look;
  const place = nearest ?? start;
  const isLost = isMissing && link !== undefined;
  return (
    <section class="files-shown" aria-label={shownNameOf(path)}>
      <div class="files-failed">
        <h2>{isLost ? "This link leads nowhere" : isMissing ? "There is nothing at this path" : "This cannot be shown"}</h2>
        <p class="files-full">
          {shownName(path)}
          {isLost && ` → ${shownName(link)}`}
        </p>
        <ProblemCard problem={problem} onRetry={onAgain}>
          {place !== path && (
            <RouteLink class="button" route={{ screen: "files", path: place }}>
              Go to {shownName(place)}
            </RouteLink>
          )}
          {isLost && <PlaceButtons path={path} isFolder={false} link={link} onAsk={onAsk} />}
          <CopyButton text={path} label="Copy path" />
        </ProblemCard>
      </div>
    </section>
  );
}
