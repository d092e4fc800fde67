// The daemon wants a token: asked for, and nothing else. What was on the page stays behind it.
import { useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { Modal } from "./modal.js";

export function TokenPrompt() {
  const app = useApp();
  const isWrong = useAppState(({ daemon }) => daemon.word === "token wrong");
  const wasThere = useAppState(({ daemon }) => daemon.wasThere);
  const [isTried, setTried] = useState(false);
  const [token, setToken] = useState("");
  const [isKept, setKept] = useState(false);
  return (
    <Modal title="Token needed">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (token.trim() !== "") app.enterToken(token.trim(), isKept);
        }}
      >
        <p class="quiet">
          This daemon answers only who knows its token. It was shown when the daemon started; <code>sandbox-agent ui</code>{" "}
          prints a link with it.
        </p>
        <label class="form-row">
          Token
          <input
            class="field"
            type="password"
            autoComplete="off"
            data-first
            aria-invalid={isWrong}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <p class="bad" role="alert">
          {isWrong && (wasThere && !isTried ? "The daemon has another token now." : "This is a wrong token.")}
        </p>
        <label class="check">
          <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
          Remember on this device
        </label>
        <div class="form-end">
          <button type="submit" class="button button-main">
            Open
          </button>
        </div>
      </form>
    </Modal>
  );
}
