import { el } from "../ui/page.js";
import { say, translatePage } from "../pageTexts.js";

/** Shows a specification: its requests by their tags, and its documents. */
export class ReferencePage {
  #document;
  /** The words of each article, once they were looked for. */
  #texts = new WeakMap();

  /** @param {Document} document The page, with the elements that it fills. */
  constructor(document) {
    this.#document = document;
    this.#at("find").addEventListener("input", () => this.#find());
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

  /** Leaves requests and documents that have all of the words, and what leads to them. */
  #find() {
    const words = this.#at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...this.#document.querySelectorAll("main article")];
    for (const article of all) {
      this.#texts.set(article, this.#texts.get(article) ?? article.textContent.toLowerCase());
      article.hidden = !words.every((word) => this.#texts.get(article).includes(word));
    }
    for (const link of this.#at("contents").querySelectorAll("a")) {
      link.parentElement.hidden = this.#at(link.hash.slice(1)).hidden;
    }
    const parts = "#operations > section, #schemas, #contents > section";
    for (const part of this.#document.querySelectorAll(parts)) {
      part.hidden = !part.querySelector("article:not([hidden]), li:not([hidden])");
    }
    this.#at("introduction").hidden = words.length > 0;
    const some = all.filter(({ hidden }) => !hidden).length;
    this.#at("found").textContent = words.length === 0 ? ""
      : some === 0 ? say("There are none.") : say("{some} of {all}", { some, all: all.length });
  }

  #show(specification) {
    this.#at("introduction").append(...prose(specification.description));
    for (const tag of specification.tags) {
      const operations = specification.operations.filter((operation) => operation.tag === tag.name);
      this.#at("contents").append(contents(tag, operations));
      this.#at("operations").append(
        el("section", {}, [
          el("h2", {}, tag.name),
          el("p", {}, tag.description),
          ...operations.map((operation) => article(operation, specification)),
        ]),
      );
    }
    const schemas = this.#at("schemas");
    for (const [name, schema] of specification.schemas) {
      schemas.append(
        el("article", { id: `schema-${name}` }, [
          el("h3", {}, name),
          ...prose(schema.description ?? ""),
          code(specification.outline({ ...schema, description: undefined })),
        ]),
      );
    }
    schemas.hidden = false;
  }
}

function contents(tag, operations) {
  return el("section", {}, [
    el("h2", {}, tag.name),
    el("ul", {}, operations.map((operation) => el("li", {}, [
      el("a", { href: `#${operation.id}` }, [method(operation.method), operation.path]),
    ]))),
  ]);
}

/** Lines that may be wider than the page, which the keyboard can scroll. */
function code(text, attributes = {}) {
  return el("pre", { ...attributes, tabindex: "0" }, text);
}

function method(name) {
  return el("span", { class: `method ${name}` }, name.toUpperCase());
}

function article(operation, specification) {
  const parts = [
    el("h3", {}, [method(operation.method), el("code", {}, operation.path)]),
    el("p", { class: "summary" }, operation.summary),
    ...prose(operation.description),
    el("p", { class: "key" }, operation.key),
  ];
  if (operation.parameters.length > 0) {
    parts.push(el("h4", {}, "Parameters"), parameterTable(operation.parameters, specification));
  }
  for (const [type, schema] of operation.bodies) {
    parts.push(el("h4", {}, ["Body: ", el("code", {}, type)]));
    parts.push(code(specification.outline(schema)));
    for (const example of specification.examples(schema)) {
      parts.push(code(JSON.stringify(example, null, 1), { class: "example" }));
    }
  }
  parts.push(el("h4", {}, "Responses"), responseTable(operation.responses, specification));
  return el("article", { id: operation.id }, parts);
}

function parameterTable(parameters, specification) {
  return table("Parameters", ["Name", "In", "Value", ""], parameters.map((parameter) => [
    el("code", {}, parameter.name + (parameter.required ? " *" : "")),
    parameter.in === "header" ? "field" : parameter.in,
    el("code", {}, specification.outline(parameter.schema)),
    prose(parameter.description ?? ""),
  ]));
}

function responseTable(responses, specification) {
  return table("Responses", ["Status", "", "Document", "Fields"], responses.map((response) => [
    el("code", {}, response.status),
    prose(response.description),
    response.contents.map(([type, schema]) => el("div", {}, [
      el("code", {}, type), " ", el("code", {}, specification.outline(schema)),
    ])),
    response.fields.join(", "),
  ]));
}

function table(label, heads, rows) {
  return el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": label }, [
    el("table", {}, [
      el("thead", {}, el("tr", {}, heads.map((head) =>
        head === "" ? el("td", {}, "") : el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows.map((cells) =>
        el("tr", {}, cells.map((cell) => el("td", {}, cell))))),
    ]),
  ]);
}

const methods = ["get", "put", "post", "patch", "delete"];

/** An OpenAPI document, with its references resolved where they are needed. */
export class Specification {
  #document;

  /** @param {object} document As it was parsed. */
  constructor(document) {
    this.#document = document;
  }

  get description() {
    return this.#document.info.description ?? "";
  }

  get tags() {
    return this.#document.tags;
  }

  /** Names with their schemas, by name. */
  get schemas() {
    const schemas = Object.entries(this.#document.components.schemas);
    return schemas.sort(([first], [second]) => (first < second ? -1 : 1));
  }

  /** All requests, in the order of the document. */
  get operations() {
    return Object.entries(this.#document.paths).flatMap(([path, item]) =>
      methods.filter((method) => item[method]).map((method) => this.#operation(path, method, item)));
  }

  #operation(path, method, item) {
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return {
      path,
      method,
      id: operation.operationId,
      tag: operation.tags[0],
      summary: operation.summary,
      description: operation.description ?? "",
      key: Specification.#key(operation.security),
      parameters: parameters.map((parameter) => this.#resolved(parameter)),
      bodies: this.#contents(operation.requestBody),
      responses: Object.entries(operation.responses).map(([status, value]) => {
        const response = this.#resolved(value);
        return {
          status,
          description: response.description,
          contents: this.#contents(response),
          fields: Object.keys(response.headers ?? {}),
        };
      }),
    };
  }

  static #key(security) {
    if (security.length === 0) return "Needs no key.";
    const isOpen = security.some((choice) => Object.keys(choice).length === 0);
    return isOpen ? "Needs a key for feeds that are not open." : "Needs a key.";
  }

  #contents(message) {
    return Object.entries(message?.content ?? {}).map(([type, content]) =>
      [type, content["x-item-schema"] ?? content.schema]);
  }

  #resolved(value) {
    if (!value.$ref) return value;
    return value.$ref.slice(2).split("/").reduce((part, name) => part[name], this.#document);
  }

  /** The examples of a schema. */
  examples(schema) {
    return this.#resolved(schema).examples ?? [];
  }

  /**
   * A schema in few words.
   *
   * @param {object} schema
   * @param {string} [indent] Of the lines after the first.
   * @returns {string}
   */
  outline(schema, indent = "") {
    if (schema.$ref) return schema.$ref.split("/").at(-1);
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.type === "array") return `[${this.outline(schema.items ?? {}, indent)}, …]`;
    if (schema.type === "object" && (schema.properties || schema.additionalProperties)) {
      return this.#object(schema, indent);
    }
    if (schema.oneOf) return schema.oneOf.map((part) => this.outline(part, indent)).join(" | ");
    return Specification.#simple(schema);
  }

  #object(schema, indent) {
    const inner = indent + "  ";
    const lines = Object.entries(schema.properties ?? {}).map(([name, value]) => {
      const mark = schema.required?.includes(name) ? "" : "?";
      return `${inner}${name}${mark}: ${this.outline(value, inner)}`;
    });
    if (typeof schema.additionalProperties === "object") {
      lines.push(`${inner}NAME: ${this.outline(schema.additionalProperties, inner)}`);
    }
    return `{\n${lines.join("\n")}\n${indent}}`;
  }

  static #simple(schema) {
    const types = [schema.type ?? "any"].flat().join(" | ");
    const { minimum, maximum } = schema;
    if (minimum === undefined) return types;
    return maximum === undefined ? `${types} ≥ ${minimum}` : `${types} ${minimum}–${maximum}`;
  }
}

/**
 * Makes paragraphs of a description; what stands between backquotes is code.
 *
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function prose(text) {
  const paragraphs = text.split("\n\n").filter((paragraph) => paragraph !== "");
  return paragraphs.map((paragraph) => el("p", {}, paragraph.split("`").map((part, index) =>
    index % 2 === 1 ? el("code", {}, part) : part)));
}

await translatePage();
await new ReferencePage(document).load("openapi.json");
