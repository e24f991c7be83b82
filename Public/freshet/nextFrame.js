/** Waits until a page that is in sight shows what it has now; elsewhere not at all. */
export function nextFrame() {
  if (!globalThis.requestAnimationFrame || document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // Of a page that is hidden meanwhile no frame comes.
    setTimeout(resolve, 200);
  });
}
