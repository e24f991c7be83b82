/**
 * Numbers from 0 up, of which sums are asked and single ones changed, in steps that grow with the
 * logarithm of how many there are: a Fenwick tree ("A New Data Structure for Cumulative Frequency
 * Tables", 1994).
 */
export class Sums {
  #values;
  /** At each place, from 1, the sum of as many values before it as its lowest bit says. */
  #tree;

  /** @param {number[]} values */
  constructor(values) {
    this.#values = values;
    this.#tree = new Float64Array(values.length + 1);
    for (let place = 1; place < this.#tree.length; place += 1) {
      this.#tree[place] += values[place - 1];
      const above = place + (place & -place);
      if (above < this.#tree.length) this.#tree[above] += this.#tree[place];
    }
  }

  set(index, value) {
    const more = value - this.#values[index];
    this.#values[index] = value;
    for (let place = index + 1; place < this.#tree.length; place += place & -place) {
      this.#tree[place] += more;
    }
  }

  /** The sum of the values before one. */
  before(index) {
    let sum = 0;
    for (let place = index; place > 0; place -= place & -place) sum += this.#tree[place];
    return sum;
  }

  /** The most values from the first on whose sum is no more than a limit. */
  count(limit) {
    let [place, left] = [0, limit];
    for (let step = 2 ** Math.floor(Math.log2(this.#tree.length)); step >= 1; step /= 2) {
      if (place + step >= this.#tree.length || this.#tree[place + step] > left) continue;
      place += step;
      left -= this.#tree[place];
    }
    return place;
  }
}
