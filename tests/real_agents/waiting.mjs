// Waiting for conditions, always with a bound, and saying what was waited for.

export const patience = 45_000;  // ms; generous, for slow machines: what is waited for usually takes less than one second

export async function within(promise, what, ms = patience) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms} ms for ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// Looks at something that announces itself to nobody (a file, a process) until it is there.
export async function until(look, what, ms = patience) {
  for (const end = performance.now() + ms; performance.now() < end;) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited ${ms} ms for ${what}`);
}
