/** What was kept under a name; until the tab is closed, unless it is said where. */
export function recall(name: any, where?: () => Storage): string | null;
/** Keeps a text under a name. */
export function remember(name: any, text: any, where?: () => Storage): void;
