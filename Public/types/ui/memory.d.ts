/** Returns the text that was saved under a name; until the tab is closed, unless it is said where. */
export function load(name: any, where?: () => Storage): string | null;
/** Saves a text under a name. */
export function save(name: any, text: any, where?: () => Storage): void;
