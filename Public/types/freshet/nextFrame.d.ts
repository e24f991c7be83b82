/** Waits until a page that is in sight shows what it has now; elsewhere not at all. */
export function nextFrame(): Promise<any>;
