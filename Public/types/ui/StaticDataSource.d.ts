/** The data source of a static table: sections and cells that were given once. */
export class StaticDataSource {
    /** The sections that markup has: `<section title>` with cells in them, or cells alone. */
    static read(element: any): StaticDataSource | null;
    /**
   * @param {{title?: ?string, cells: HTMLElement[]}[]} sections */
    constructor(sections: {
        title?: string | null;
        cells: HTMLElement[];
    }[]);
    numberOfSections(): number;
    numberOfRows(section: any): number;
    titleForHeader(section: any): string | null;
    cell({ section, row }: {
        section: any;
        row: any;
    }): HTMLElement;
    #private;
}
