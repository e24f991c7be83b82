/**
 * Makes an element.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {string | Node | (string | Node)[]} content Text is inserted as text.
 * @returns {HTMLElement}
 */
export function element(name, attributes, content) {
  const result = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) result.setAttribute(attribute, value);
  result.append(...[content].flat());
  return result;
}

/**
 * Makes paragraphs of a description; what stands between backquotes is code.
 *
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function prose(text) {
  const paragraphs = text.split("\n\n").filter((paragraph) => paragraph !== "");
  return paragraphs.map((paragraph) => element("p", {}, paragraph.split("`").map((part, index) =>
    index % 2 === 1 ? element("code", {}, part) : part)));
}
