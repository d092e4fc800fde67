// Holds back what waits for `passed` until open() is called.
export function gate() {
  let open;
  const passed = new Promise((done) => {
    open = done;
  });
  return { passed, open };
}
