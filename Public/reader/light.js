/** How long a row stays lit that a change touched, in milliseconds. */
const time = 2600;
/** What each cell that is lit is lit for, and its animation. */
const lights = new WeakMap();

/**
 * Lights a row up for what a change did, if that was just now; it goes out by itself.
 * @param {HTMLElement} cell @param {{colour: string, since: number}} mark what it did, and when
 */
export function light(cell, mark) {
  const age = Date.now() - mark.since;
  if (mark === lights.get(cell)?.mark || age >= time) return;
  putOut(cell);
  const keyframes = [0, 0.35].map((offset) =>
    ({ backgroundColor: `var(${mark.colour})`, offset }));
  const animation = cell.animate(keyframes, { duration: time, easing: "ease-in" });
  animation.currentTime = age;
  animation.onfinish = () => putOut(cell);
  lights.set(cell, { mark, animation });
  // Where the system chooses the colours a line is around it.
  cell.dataset.lit = mark.colour.slice(2);
}

/** A cell that is to show something else is not lit. */
export function putOut(cell) {
  lights.get(cell)?.animation.cancel();
  lights.delete(cell);
  delete cell.dataset.lit;
}
