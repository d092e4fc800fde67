// How the daemon is, as far as the page can tell: what was asked, what came back, and what that means.

export type DaemonWord = "loading" | "healthy" | "slow" | "unreachable" | "token needed" | "token wrong";

export interface DaemonState {
  readonly word: DaemonWord;
  readonly version?: string;
  /** When it was started, by a clock of ours that never jumps. */
  readonly startedAt?: number;
  readonly uptimeMs?: number;
  /** Unreachable: when it is asked again. */
  readonly retryAt?: number;
  /** It is another process than before: since when. Stays until the user has seen it. */
  readonly restartedAt?: number;
  /** It has been healthy since the page was opened. */
  readonly wasThere: boolean;
}

export type DaemonNews =
  | {
      readonly type: "answered";
      readonly version: string;
      readonly uptimeMs: number;
      readonly tookMs: number;
      readonly at: number;
    }
  | { readonly type: "late" }
  | { readonly type: "failed"; readonly why: "unreachable" | "token_missing" | "token_invalid"; readonly retryAt: number }
  | { readonly type: "seen" };

export const daemonAtFirst: DaemonState = { word: "loading", wasThere: false };

const slowMs = 2_000;
const clockSlackMs = 1_500; // two guesses of one start may differ by so much

export function daemonAfter(state: DaemonState, news: DaemonNews): DaemonState {
  switch (news.type) {
    case "answered": {
      const startedAt = news.at - news.uptimeMs;
      const earliest = startedAt - news.tookMs; // it may have been told at any time while we waited
      const isYounger = news.uptimeMs < (state.uptimeMs ?? 0);
      const isOther = isYounger || (state.startedAt !== undefined && earliest > state.startedAt + clockSlackMs);
      const restartedAt = isOther ? news.at : state.restartedAt;
      return {
        word: news.tookMs > slowMs ? "slow" : "healthy",
        version: news.version,
        startedAt: isOther || state.startedAt === undefined ? startedAt : state.startedAt,
        uptimeMs: news.uptimeMs,
        wasThere: true,
        ...(restartedAt !== undefined && { restartedAt }),
      };
    }
    case "late":
      return state.word === "healthy" ? { ...state, word: "slow" } : state;
    case "failed": {
      const word = { unreachable: "unreachable", token_missing: "token needed", token_invalid: "token wrong" } as const;
      return { ...state, word: word[news.why], retryAt: news.retryAt };
    }
    case "seen": {
      const { restartedAt: _, ...rest } = state;
      return rest;
    }
  }
}

/** Whether messages can be sent; if not, why. */
export function whyNoSending({ word }: DaemonState): string | undefined {
  if (word === "healthy" || word === "slow") return undefined;
  if (word === "loading") return "The daemon has not answered yet.";
  return word === "unreachable" ? "The daemon is unreachable; the message is kept here." : "The daemon wants a token.";
}
