/** What changes, as the server sent them, do to a snapshot. */
export function ofChanges(changes: any, old: any): RefreshResult & {
    inserted: Set<any>;
    removed: Set<any>;
    moved: Set<any>;
    updated: Set<any>;
    changes: any;
    isRearranged: boolean;
};
/**
 * What differs between snapshots; moved is only what is in another section. Where just one of them is
 * of all items, the others are neither new nor gone.
 */
export function ofDifference(old: any, now: any): RefreshResult;
import { RefreshResult } from "./RefreshResult.js";
