// Why something failed, as it is shown.

export interface Problem {
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}
