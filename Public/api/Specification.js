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
