// What browsers have, and the oldest TypeScript that is used here does not know of yet.

interface Array<T> {
  findLast(test: (one: T, index: number) => unknown): T | undefined;
  findLastIndex(test: (one: T, index: number) => unknown): number;
}
interface ReadonlyArray<T> {
  findLast(test: (one: T, index: number) => unknown): T | undefined;
}
interface ARIAMixin {
  role: string | null;
  ariaDescription: string | null;
}
interface Element {
  checkVisibility(): boolean;
  moveBefore?(node: Node, child: Node | null): void;
  blur?(): void;
}

/** A control, also one of another copy of ui/: it gives up the finger that it follows. */
interface EventTarget {
  cancelTouch?(): void;
}
