/** A locale's way to sort strings and to group them under letters. */
export class IndexedCollation {
  constructor(locale) { this.locale = locale; }
}
