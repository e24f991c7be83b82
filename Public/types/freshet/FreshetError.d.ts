/** Whether something is a list of what has an id each. */
export function isList(value: any): boolean;
/** Why a request did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
    /** Nothing answered. */
    static lost(): FreshetError;
    /** What came is no document that a feed server sends. */
    static strange(): FreshetError;
    /**
     *
   * @param {string} message
     *
   * @param {{status?: number, problem?: object, retryAfter?: number}} [more] retryAfter in seconds
     */
    constructor(message: string, { status, problem, retryAfter }?: {
        status?: number | undefined;
        problem?: object | undefined;
        retryAfter?: number | undefined;
    } | undefined);
    /**
   * @type {number | undefined} */
    status: number | undefined;
    /**
   * @type {any} */
    problem: any;
    /**
   * @type {number | undefined} in seconds */
    retryAfter: number | undefined;
    /** The name of the problem, if the server gave one: `behind`, `outcome-unknown`. */
    get type(): any;
    /** Whether the server said that for this reader the feed is not there: what was kept goes. */
    get isGone(): boolean;
}
