/**
 * Numbers from 0 up, of which sums are asked and single ones changed, in steps that grow with the
 * logarithm of how many there are: a Fenwick tree ("A New Data Structure for Cumulative Frequency
 * Tables", 1994).
 */
export class Sums {
    /**
   * @param {number[]} values */
    constructor(values: number[]);
    set(index: any, value: any): void;
    /** The sum of the values before one. */
    before(index: any): number;
    /** The most values from the first on whose sum is no more than a limit. */
    count(limit: any): number;
    #private;
}
