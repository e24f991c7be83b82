/** A snapshot with what was kept besides; null where that leads to none that the server had. */
export function following(snapshot: any, documents: any): any;
export { ofDifference } from "./results.js";
