/** A request, as of `fetch`, as a line for a shell. */
export function curl(url, { method = "GET", headers, body, isStream } = {}) {
  const parts = ["curl"];
  if (isStream) parts.push("-N");
  if (method !== "GET") parts.push("-X", method);
  parts.push(quoted(url));
  for (const [name, value] of Object.entries(headers ?? {})) {
    parts.push("-H", quoted(`${name}: ${value}`));
  }
  // Plain --data would take a leading @ for a file's name.
  if (body !== undefined) parts.push("--data-raw", quoted(body));
  return parts.join(" ");
}

/** In single quotes nothing means anything to a shell but a single quote. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
