/** A signal that is aborted when what is expected does not come in time. */
export class Watchdog {
    get signal(): AbortSignal;
    /** From now on something is to come within so many milliseconds.
   * @param {Error} error if not */
    expect(time: any, error: Error): void;
    /** Nothing is expected any more. */
    rest(): void;
    /** Nor is anything wanted. */
    end(): void;
    #private;
}
