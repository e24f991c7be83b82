/** A part of the address after its `#`; null for none, or for what is no text. */
export function addressed(place) {
  try {
    return decodeURIComponent(location.hash.slice(1).split("/")[place] ?? "") || null;
  } catch {
    return null;
  }
}
