/** Whether the reader asked for less motion. */
export function prefersReducedMotion(): boolean;
/**
 * Shows a motion that becomes slower and slower by what is left of it, from 1 to 0; to those who
 * asked for less motion its end at once.
 *
 * @returns {() => void} stops it
 */
export function decelerate(duration: any, show: any): () => void;
/** How far content moves past its end for a finger that went further, in a view of an extent. */
export function rubberBand(pulled: any, extent: any): number;
/** How far a finger went for the content to have moved so: the inverse of `rubberBand`. */
export function rubberBandPull(distance: any, extent: any): number;
