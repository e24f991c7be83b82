export { ofChanges, ofDifference } from "./results.js";
