/** A request, as of `fetch`, as a line for a shell, which has the key in its variable KEY. */
export function curl(url, { method = "GET", headers, body, isStream } = {}) {
  const parts = ["curl"];
  if (isStream) parts.push("-N");
  if (method !== "GET") parts.push("-X", method);
  parts.push(quoted(url));
  for (const [name, value] of Object.entries(headers ?? {})) {
    parts.push("-H", name === "Authorization" ? '"Authorization: Bearer $KEY"'
      : quoted(`${name}: ${value}`));
  }
  // No argument of a command may be longer than 128 KiB on Linux: then it comes of a file.
  if (body?.length > 30_000) parts.push("--data-binary", "@list.json");
  // Plain --data would take a leading @ for a file's name.
  else if (body !== undefined) parts.push("--data-raw", quoted(body));
  return parts.join(" ");
}

/** In single quotes nothing means anything to a shell but a single quote. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
