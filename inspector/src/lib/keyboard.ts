// What kind of keyboard this is.

/** It has ⌘ where others have Ctrl. */
export const hasCommandKey = /Mac|iPhone|iPad/.test(navigator.platform);
