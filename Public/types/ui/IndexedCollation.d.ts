/** A locale's way to sort strings and to group them under letters, as the server has it. */
export class IndexedCollation {
    /** That of the reader's own language; English where it is not known. */
    static get current(): IndexedCollation;
    /**
   * @throws {RangeError} when its language is not known, {TypeError} for none */
    constructor(locale: string);
    /** The titles in order; `#`, of what fits nowhere, is the last. */
    sectionTitles: string[];
    /** What an index bar shows. */
    get sectionIndexTitles(): string[];
    /** The section that a title of the index bar, by its number, leads to. */
    sectionForSectionIndexTitle(index: number): number;
    /**
     * The number of the section of an object.
   * @param {(object: T) => string} [by] what it goes by */
    section<T>(object: T, by?: ((object: T) => string) | undefined): number;
    /**
     * The objects in the locale's order; those that tie keep theirs. */
    sortedArray<T_1>(array: T_1[], by?: ((object: T_1) => string) | undefined): T_1[];
    #private;
}
