// Uploads: each that is under way, what is asked before anything is replaced, and what failed, with its cause.
import { shownName } from "../../state/file_paths.js";
import { othersOf, type FileUploads } from "../../lib/file_uploads.js";
import { namesOf } from "../../lib/file_upload.js";
import { Icon } from "../../parts/icon.js";
import { ProblemCard } from "../problem_card.js";
import { ReplaceDialog } from "./loss_dialogs.js";

export function UploadRows({ uploads }: { uploads: FileUploads }) {
  const asking = uploads.all.find(({ state }) => state === "asking");
  return (
    <>
      {uploads.all.map((own) =>
        own.state === "failed" ? (
          <ProblemCard
            key={own.key}
            title={`${shownName(own.what)} was not uploaded`}
            problem={own.problem!}
            onRetry={() => uploads.retry(own)}
            onClose={() => uploads.drop(own)}
          />
        ) : (
          (own.state === "sending" || own.state === "waiting") && (
            <div key={own.key} class="files-upload">
              <Icon name={own.state === "sending" ? "spinner" : "upload"} />
              <span>
                {own.state === "sending" ? "Uploading" : "Waiting to upload"} {shownName(own.what)} to {shownName(own.folder)} …
              </span>
              <button type="button" class="link-button" onClick={() => uploads.drop(own)}>
                Cancel
              </button>
            </div>
          )
        ),
      )}
      {asking && (
        <ReplaceDialog
          key={asking.key}
          folder={asking.folder}
          names={asking.taken}
          others={namesOf(othersOf(asking)).length}
          onReplace={() => uploads.replace(asking)}
          onSkip={() => uploads.skip(asking)}
          onClose={() => uploads.drop(asking)}
        />
      )}
    </>
  );
}
