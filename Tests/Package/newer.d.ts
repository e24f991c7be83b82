// What the oldest TypeScript that is used here does not know of arrays yet.
interface Array<T> {
  findLast(test: (one: any) => unknown): T | undefined;
}
interface ReadonlyArray<T> {
  findLast(test: (one: any) => unknown): T | undefined;
}
