import { Specification } from "./Specification.js";
import { element, prose } from "./element.js";

/** Shows a specification: its requests by their tags, and its documents. */
export class ReferencePage {
  #document;

  /** @param {Document} document The page, with the elements that it fills. */
  constructor(document) {
    this.#document = document;
  }

  /**
   * Fetches a specification and shows it.
   *
   * @param {string} address
   */
  async load(address) {
    const state = this.#at("state");
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      this.#show(new Specification(await response.json()));
      state.hidden = true;
    } catch (error) {
      state.textContent = `${address} could not be read: ${error.message}`;
    }
    // The place that the address names was not there when the page was loaded.
    this.#document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  #at(id) {
    return this.#document.getElementById(id);
  }

  #show(specification) {
    this.#at("introduction").append(...prose(specification.description));
    for (const tag of specification.tags) {
      const operations = specification.operations.filter((operation) => operation.tag === tag.name);
      this.#at("contents").append(contents(tag, operations));
      this.#at("operations").append(
        element("section", {}, [
          element("h2", {}, tag.name),
          element("p", {}, tag.description),
          ...operations.map((operation) => article(operation, specification)),
        ]),
      );
    }
    const schemas = this.#at("schemas");
    for (const [name, schema] of specification.schemas) {
      schemas.append(
        element("article", { id: `schema-${name}` }, [
          element("h3", {}, name),
          ...prose(schema.description ?? ""),
          code(specification.outline({ ...schema, description: undefined })),
        ]),
      );
    }
    schemas.hidden = false;
  }
}

function contents(tag, operations) {
  return element("section", {}, [
    element("h2", {}, tag.name),
    element("ul", {}, operations.map((operation) => element("li", {}, [
      element("a", { href: `#${operation.id}` }, [method(operation.method), operation.path]),
    ]))),
  ]);
}

/** Lines that may be wider than the page, which the keyboard can scroll. */
function code(text, attributes = {}) {
  return element("pre", { ...attributes, tabindex: "0" }, text);
}

function method(name) {
  return element("span", { class: `method ${name}` }, name.toUpperCase());
}

function article(operation, specification) {
  const parts = [
    element("h3", {}, [method(operation.method), element("code", {}, operation.path)]),
    element("p", { class: "summary" }, operation.summary),
    ...prose(operation.description),
    element("p", { class: "key" }, operation.key),
  ];
  if (operation.parameters.length > 0) {
    parts.push(element("h4", {}, "Parameters"), parameterTable(operation.parameters, specification));
  }
  for (const [type, schema] of operation.bodies) {
    parts.push(element("h4", {}, ["Body: ", element("code", {}, type)]));
    parts.push(code(specification.outline(schema)));
    for (const example of specification.examples(schema)) {
      parts.push(code(JSON.stringify(example, null, 1), { class: "example" }));
    }
  }
  parts.push(element("h4", {}, "Responses"), responseTable(operation.responses, specification));
  return element("article", { id: operation.id }, parts);
}

function parameterTable(parameters, specification) {
  return table("Parameters", ["Name", "In", "Value", ""], parameters.map((parameter) => [
    element("code", {}, parameter.name + (parameter.required ? " *" : "")),
    parameter.in === "header" ? "field" : parameter.in,
    element("code", {}, specification.outline(parameter.schema)),
    prose(parameter.description ?? ""),
  ]));
}

function responseTable(responses, specification) {
  return table("Responses", ["Status", "", "Document", "Fields"], responses.map((response) => [
    element("code", {}, response.status),
    prose(response.description),
    response.contents.map(([type, schema]) => element("div", {}, [
      element("code", {}, type), " ", element("code", {}, specification.outline(schema)),
    ])),
    response.fields.join(", "),
  ]));
}

function table(label, heads, rows) {
  return element("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": label }, [
    element("table", {}, [
      element("thead", {}, element("tr", {}, heads.map((head) =>
        head === "" ? element("td", {}, "") : element("th", { scope: "col" }, head)))),
      element("tbody", {}, rows.map((cells) =>
        element("tr", {}, cells.map((cell) => element("td", {}, cell))))),
    ]),
  ]);
}
