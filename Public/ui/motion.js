/** Whether the reader asked for less motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Shows a motion that becomes slower and slower by what is left of it, from 1 to 0; to those who
 * asked for less motion its end at once.
 * @returns {() => void} stops it
 */
export function decelerate(duration, show) {
  let [start, frame] = [null, 0];
  const step = (time) => {
    start ??= time;
    const part = Math.min((time - start) / duration, 1);
    if (part < 1) frame = requestAnimationFrame(step);
    show((1 - part) ** 3);
  };
  if (prefersReducedMotion()) show(0);
  else frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** How far content moves past its end for a finger that went further, in a view of an extent. */
export function rubberBand(pulled, extent) {
  return Math.sign(pulled) * extent * (1 - 1 / (Math.abs(pulled) * 0.55 / extent + 1));
}

/** How far a finger went for the content to have moved so: the inverse of `rubberBand`. */
export function rubberBandPull(distance, extent) {
  const part = Math.min(Math.abs(distance) / extent, 0.95);
  return Math.sign(distance) * extent / 0.55 * (1 / (1 - part) - 1);
}
