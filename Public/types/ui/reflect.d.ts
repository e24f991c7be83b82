/** Gives a class properties that its elements keep in `data-` attributes. */
export function reflect(type: any, initial: any): void;
