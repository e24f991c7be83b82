export { ofDifference } from "./results.js";
