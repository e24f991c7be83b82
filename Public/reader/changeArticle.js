import { longestAscending } from "../ui/TableUpdates.js";

/**
 * Makes the page in a frame another version of itself, where it stands: what stays the same is not
 * touched, what is read stays where it is, and so does a selection.
 * @returns {boolean} whether the page was there for it
 */
export function changeArticle(frame, markup) {
  const shown = frame.contentDocument;
  if (!("isLoaded" in frame.dataset) || !shown?.body) return false;
  const next = new DOMParser().parseFromString(markup, "text/html");
  const { scrollingElement: view } = shown;
  const eye = view.scrollTop > 0
    ? [...shown.body.querySelectorAll("*")].filter((one) => one.children.length === 0
      && one.getBoundingClientRect().bottom > 0) : [];
  const tops = eye.map((one) => one.getBoundingClientRect().top);
  shown.documentElement.dir = next.documentElement.dir;
  change(shown.body, next.body);
  const index = eye.findIndex((one) => one.isConnected);
  if (index >= 0) view.scrollTop += eye[index].getBoundingClientRect().top - tops[index];
  return true;
}

/** Gives a node of a page what another has, and touches no child that stays the same. */
function change(node, next) {
  if (node.nodeType === Node.TEXT_NODE) return changeText(node, next.data);
  for (const { name } of [...node.attributes]) {
    // A reader opens and closes details.
    if (!next.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (node.getAttribute(name) !== value && name !== "open") node.setAttribute(name, value);
  }
  const [old, fresh] = [[...node.childNodes], [...next.childNodes]];
  const pairs = paired(old, fresh);
  const kept = new Set(pairs.values());
  for (const one of old) if (!kept.has(one)) one.remove();
  let place = node.firstChild;
  for (const one of fresh) {
    const same = pairs.get(one);
    if (!same) {
      node.insertBefore(node.ownerDocument.importNode(one, true), place);
      continue;
    }
    if (!same.isEqualNode(one)) change(same, one);
    place = same.nextSibling;
  }
}

/** Pairs nodes in order: those that are there once with their like, and nodes of a kind between. */
function paired(old, fresh) {
  const texts = [old, fresh].map((nodes) => nodes.map((node) => node.outerHTML ?? node.data));
  const [was, is] = texts.map(uniqueIndices);
  const both = [...is].filter(([text]) => was.has(text)).map(([text, to]) => [was.get(text), to]);
  const ascending = longestAscending(both.map(([from]) => from));
  const anchors = both.filter((_, index) => ascending.has(index));
  const pairs = new Map();
  let [left, right] = [0, 0];
  for (const [from, to] of [...anchors, [old.length, fresh.length]]) {
    for (; right < to; right += 1) {
      let kin = left;
      while (kin < from && old[kin].nodeName !== fresh[right].nodeName) kin += 1;
      if (kin === from) continue;
      pairs.set(fresh[right], old[kin]);
      left = kin + 1;
    }
    if (from < old.length) pairs.set(fresh[to], old[from]);
    [left, right] = [from + 1, to + 1];
  }
  return pairs;
}

/** Returns where each text is that is there once, in order. */
function uniqueIndices(texts) {
  const indices = new Map();
  texts.forEach((text, index) => indices.set(text, indices.has(text) ? -1 : index));
  return new Map([...indices].filter(([, index]) => index >= 0));
}

/** Changes the middle of a text that is another, so that a selection around it stays. */
function changeText(node, text) {
  const { data } = node;
  let [start, end] = [0, 0];
  const most = Math.min(data.length, text.length);
  while (start < most && data[start] === text[start]) start += 1;
  while (end < most - start && data.at(-1 - end) === text.at(-1 - end)) end += 1;
  node.replaceData(start, data.length - start - end, text.slice(start, text.length - end));
}
