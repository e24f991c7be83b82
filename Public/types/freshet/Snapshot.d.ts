/**
 * @typedef {{id: string, [name: string]: any}} Item */
/**
 * @typedef {{id: string, title?: string, index?: string, items: Item[]}} Section */
/** A feed's state at one version, which never changes; the next one shares what is the same. */
export class Snapshot {
    /** Reads a document of the kind `snapshot`, of a `limit` or not.
   * @returns {Snapshot} */
    static read({ total, count, sections, ...document }: {
        [x: string]: any;
        total: any;
        count: any;
        sections: any;
    }, isLimited?: boolean): Snapshot;
    /**
   * @param {Record<string, any>} members
   * @param {Section[]} sections
   * @param {number} [total] of a view */
    constructor(members: Record<string, any>, sections: Section[], total?: number | undefined);
    /** Item and section's id by the item's id; handed on, since only the newest needs it. */
    members: Record<string, any>;
    sections: Section[];
    total: number | undefined;
    get count(): number;
    /** Whether it comes to what a document says, once `order` is there (applying.js). */
    fits({ count, order }: {
        count: any;
        order: any;
    }): boolean;
    /**
   * @param {string} id
   * @returns {Item | undefined} */
    item(id: string): Item | undefined;
}
export type Item = {
    [name: string]: any;
    id: string;
};
export type Section = {
    id: string;
    title?: string;
    index?: string;
    items: Item[];
};
