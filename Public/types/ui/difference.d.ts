/** The fewest changes from one list of sections to another, into a batch of updates. */
export function difference(before: any, after: any, { rows, sections }: {
    rows: any;
    sections: any;
}): void;
/** The indices of a longest ascending subsequence of numbers that differ (patience sorting). */
export function longestAscending(list: any): Set<any>;
