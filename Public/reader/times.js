import { language } from "../words.js";

const format = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "auto" });

/** How long ago, in words; of more than a week, and of what is to come, the day. */
export function ago(date) {
  const minutes = Math.round((Date.now() - date) / 60_000);
  const isNear = minutes >= -1 && minutes < 10_080;
  if (!isNear) return date.toLocaleDateString(language, { dateStyle: "medium" });
  if (minutes < 1) return format.format(0, "second");
  if (minutes < 60) return format.format(-minutes, "minute");
  return minutes < 1440 ? format.format(-Math.round(minutes / 60), "hour")
    : format.format(-Math.round(minutes / 1440), "day");
}
