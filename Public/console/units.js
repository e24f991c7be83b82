import { language } from "../words.js";

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** A number of bytes, to three digits. @param {number} count */
export function bytes(count) {
  let [value, unit] = [count, 0];
  for (; value >= 999.5 && unit < sizes.length - 1; unit += 1) value /= 1000;
  return new Intl.NumberFormat(language, {
    style: "unit", unit: sizes[unit], unitDisplay: unit === 0 ? "long" : "short", maximumSignificantDigits: 3,
  }).format(value);
}

/** A whole number. @param {number} count */
export function whole(count) {
  return count.toLocaleString(language);
}

/** A part of a whole. @param {number} part */
export function percent(part) {
  return part.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
}

const spans = [["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]];

/** How far a time is from now. @param {string} time RFC 3339 @param {number} now in milliseconds */
export function distance(time, now = Date.now()) {
  let [value, index] = [(Date.parse(time) - now) / 1000, 0];
  for (; Math.abs(value) >= spans[index][1]; index += 1) value /= spans[index][1];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" })
    .format(Math.round(value), spans[index][0]);
}
