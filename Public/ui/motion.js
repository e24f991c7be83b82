/** Whether the reader asked for less motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
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
