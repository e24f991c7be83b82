// What runs the cases of docs/ui-vectors, in a page or without one: see its README.

/** Names, where `"A0..A9"` stands for ten. */
export function expanded(names) {
  return names.flatMap((name) => {
    const [, prefix, from, same, to] = /^(.*?)(\d+)\.\.(.*?)(\d+)$/.exec(name) ?? [];
    if (prefix === undefined || prefix !== same) return name;
    return Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${Number(from) + index}`);
  });
}

export function sectionsOf(list) {
  return list.map((section) => ({ ...section, rows: expanded(section.rows) }));
}

export function listOf(snapshot) {
  return snapshot.sectionIdentifiers.map((id) =>
    ({ id, rows: snapshot.itemIdentifiersInSection(id) }));
}

/** Whether a value meets what is expected of it. */
export function meets(value, expected) {
  if (typeof expected === "number") {
    return typeof value === "number" && Math.abs(value - expected) <= 0.5;
  }
  if (Array.isArray(expected)) {
    return Array.isArray(value) && value.length === expected.length
      && expected.every((one, index) => one === null || meets(value[index], one));
  }
  if (expected === null || typeof expected !== "object") return value === expected;
  if ("min" in expected || "max" in expected) {
    return value >= (expected.min ?? -Infinity) && value <= (expected.max ?? Infinity);
  }
  return value !== null && typeof value === "object"
    && Object.keys(expected).every((name) => meets(value[name], expected[name]));
}

/**
 * What is not as expected, in words.
 * @param {Object<string, (expected) => unknown>} readings by the names of what is expected
 */
export function mismatches(expect, readings) {
  return Object.entries(expect).flatMap(([name, expected]) => {
    if (!readings[name]) return [`nothing is known of ${name}`];
    const value = readings[name](expected);
    return meets(value, expected) ? []
      : [`${name} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`];
  });
}

/** Does what a step says; sees whether it was refused as the step expects. */
export function refusal({ refused }, act) {
  try {
    act();
  } catch (error) {
    if (!refused || !(error instanceof RangeError || error instanceof TypeError)) throw error;
    const missing = refused.filter((words) => !error.message.includes(words));
    return missing.map((words) => `the error does not say ${words}: ${error.message}`);
  }
  return refused ? ["it was not refused"] : [];
}
