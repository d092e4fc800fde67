// What is attached to the message that is being written, what could not be, and what a reload lost.
import { Icon } from "../../parts/icon.js";
import type { Attachment } from "../../state/attachment.js";
import { sizeWords } from "../../state/size_words.js";
import type { Composer, ComposerNews } from "../../state/composer.js";
import type { Attaching } from "./attaching.js";
import "./attachments.css";

export interface AttachmentsProps {
  readonly composer: Composer;
  readonly attaching: Attaching;
  readonly compose: (news: ComposerNews) => void;
}

export function Attachments({ composer: { attachments = [], lost = [] }, attaching, compose }: AttachmentsProps) {
  const focusField = () => document.getElementById("composer")?.focus();
  return (
    <>
      {attachments.length > 0 && (
        <ul class="attachments" aria-label="Attachments">
          {attachments.map((attachment, at) => (
            <li key={at}>
              <Sight attachment={attachment} />
              <span class="attachments-name" title={attachment.name}>
                {attachment.name}
              </span>
              <span class="quiet">{sizeWords(attachment.size)}</span>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${attachment.name}`}
                title="Remove"
                onClick={() => {
                  compose({ type: "detached", at });
                  focusField();
                }}
              >
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {attaching.refused.length > 0 && (
        <Note role="alert" onClose={attaching.forgive}>
          {attaching.refused.map((why) => (
            <p key={why}>{why}</p>
          ))}
        </Note>
      )}
      {lost.length > 0 && (
        <Note role="status" onClose={() => compose({ type: "loss seen" })}>
          <p>Too large to be kept over the reload, so attach again: {lost.join(", ")}.</p>
        </Note>
      )}
    </>
  );
}

function Sight({ attachment: { kind, mimeType, data } }: { attachment: Attachment }) {
  if (kind === "text") return <Icon name="log" />;
  return <img class="attachments-sight" src={`data:${mimeType};base64,${data}`} alt="" />;
}

interface NoteProps {
  readonly role: "alert" | "status";
  readonly onClose: () => void;
  readonly children: preact.ComponentChildren;
}

function Note({ role, onClose, children }: NoteProps) {
  return (
    <div class="attachments-note">
      <div role={role}>{children}</div>
      <button type="button" class="icon-button" aria-label="Dismiss" title="Dismiss" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
