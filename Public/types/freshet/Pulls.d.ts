/** The query for feeds, each once, with what is known of them. */
export function selection(feeds: any): string;
/** Requests for several feeds at once, which say what came of the last ones. */
export class Pulls {
    /**
   * @param {import("./Service.js").Service} service */
    constructor(service: import("./Service.js").Service);
    /** Refreshes feeds.
   * @returns {Promise<number>} when to ask again, in seconds */
    pull(feeds: any, { wait, signal }?: {
        wait: any;
        signal: any;
    }): Promise<number>;
    #private;
}
