// As much of frameworks as the examples of docs/WEB.md use of them.

declare module "react" {
  export function useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
  export function useSyncExternalStore<S>(
    subscribe: (changed: () => void) => () => void, get: () => S, getOnServer?: () => S): S;
}

declare module "vue" {
  export function onScopeDispose(ended: () => void): void;
  export function shallowRef<T>(value: T): { value: T };
}

declare module "svelte/store" {
  export function readable<T>(value: T, start: (set: (value: T) => void) => () => void): {
    subscribe(run: (value: T) => void): () => void;
  };
}
