/** The data source of a static table: sections and cells that were given once. */
export class StaticDataSource {
  #sections;

  /** @param {{title?: ?string, cells: HTMLElement[]}[]} sections */
  constructor(sections) {
    this.#sections = sections;
  }

  /** The sections that markup has: `<section title>` with cells in them, or cells alone. */
  static read(element) {
    const cells = (parent) => [...parent.querySelectorAll(":scope > table-view-cell")];
    const sections = [...element.querySelectorAll(":scope > section")]
      .map((section) => ({ title: section.getAttribute("title"), cells: cells(section) }));
    const all = cells(element).length > 0 ? [{ cells: cells(element) }, ...sections] : sections;
    for (const child of [...element.children]) {
      if (child.matches("section, table-view-cell")) child.remove();
    }
    return all.length > 0 ? new StaticDataSource(all) : null;
  }

  numberOfSections() { return this.#sections.length; }
  numberOfRows(section) { return this.#sections[section].cells.length; }
  titleForHeader(section) { return this.#sections[section].title ?? null; }
  cell({ section, row }) { return this.#sections[section].cells[row]; }
}
