/** How many rows a run of known heights has at first, and at most. */
const [fewest, most] = [64, 256];

/** The heights of a section's rows, in runs: a change costs the same however many there are. */
export class RowHeights {
  #estimate;
  /** Runs of rows, with their known heights; without those, as many rows of the estimate. */
  #runs;
  sum;

  /** @param {number} count @param {number} estimate in pixels */
  constructor(count, estimate) {
    this.#estimate = estimate;
    this.count = count;
    this.sum = count * estimate;
    this.#runs = [{ count, sum: this.sum, heights: null }];
  }

  height(row) {
    const { run, rest } = this.#find(row);
    return run.heights?.[rest] ?? this.#estimate;
  }

  /** Where a row begins; that of the row after the last is the sum. */
  top(row) {
    const { run, rest, top } = this.#find(row);
    if (!run.heights) return top + rest * this.#estimate;
    return run.heights.slice(0, rest).reduce((sum, height) => sum + height, top);
  }

  /** The row at a height, the first or last if it is beyond. */
  row(y) {
    let [index, row, top] = [0, 0, 0];
    while (index < this.#runs.length - 1 && top + this.#runs[index].sum <= y) {
      row += this.#runs[index].count;
      top += this.#runs[index++].sum;
    }
    const run = this.#runs[index];
    let rest = run.heights ? 0 : Math.floor((y - top) / this.#estimate);
    while (run.heights && rest < run.count && top + run.heights[rest] <= y) {
      top += run.heights[rest++];
    }
    return Math.max(0, Math.min(row + rest, this.count - 1));
  }

  set(row, height) {
    let { run, rest, index } = this.#find(row);
    if ((run.heights?.[rest] ?? this.#estimate) === height) return;
    if (!run.heights) {
      const start = rest - rest % fewest;
      const parts = [start, Math.min(fewest, run.count - start)];
      parts.push(run.count - parts[0] - parts[1]);
      const made = parts.map((count) => ({ count, sum: count * this.#estimate, heights: null }));
      made[1].heights = new Array(parts[1]).fill(this.#estimate);
      this.#runs.splice(index, 1, ...made.filter(({ count }) => count > 0));
      ({ run, rest } = this.#find(row));
    }
    this.#grow(run, 0, height - run.heights[rest]);
    run.heights[rest] = height;
  }

  insert(row, height = this.#estimate) {
    const { run, rest, index } = this.#find(row);
    this.#grow(run, 1, run.heights ? height : this.#estimate);
    run.heights?.splice(rest, 0, height);
    if (run.heights?.length > most) {
      const heights = run.heights.splice(most / 2);
      const sum = heights.reduce((all, one) => all + one, 0);
      run.count -= heights.length;
      run.sum -= sum;
      this.#runs.splice(index + 1, 0, { count: heights.length, sum, heights });
    }
    if (!run.heights && height !== this.#estimate) this.set(row, height);
  }

  /** Takes a row out. @returns {number} its height */
  remove(row) {
    const { run, rest, index } = this.#find(row);
    const height = run.heights ? run.heights.splice(rest, 1)[0] : this.#estimate;
    this.#grow(run, -1, -height);
    if (run.count === 0 && this.#runs.length > 1) this.#runs.splice(index, 1);
    return height;
  }

  #grow(run, count, sum) {
    run.count += count;
    this.count += count;
    run.sum += sum;
    this.sum += sum;
  }

  #find(row) {
    let [index, rest, top] = [0, row, 0];
    while (index < this.#runs.length - 1 && rest >= this.#runs[index].count) {
      rest -= this.#runs[index].count;
      top += this.#runs[index++].sum;
    }
    return { run: this.#runs[index], rest, top, index };
  }
}
