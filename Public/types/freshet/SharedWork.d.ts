/** Work that several callers wait for; it is aborted when none of them waits any more. */
export class SharedWork {
    /**
   * @param {() => void} ended called when it is over, or nobody waits for it */
    constructor(work: any, ended: () => void);
    /** Waits for it.
   * @param {AbortSignal} [signal] ends the waiting */
    join(signal?: AbortSignal | undefined): Promise<any>;
    #private;
}
