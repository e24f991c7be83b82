/** What came of a refresh: the ids of the items that came, went, moved and changed. */
export class RefreshResult {
    /** A feed that is here for the first time. */
    static first(): RefreshResult & {
        isFirst: boolean;
    };
    /** Whether there was nothing to compare with before, or a part: `updated` is then of that. */
    isFirst: boolean;
    /**
   * @type {Set<string>} */
    inserted: Set<string>;
    /**
   * @type {Set<string>} */
    removed: Set<string>;
    /**
   * @type {Set<string>} */
    moved: Set<string>;
    /**
   * @type {Set<string>} */
    updated: Set<string>;
    /** Whether sections, or members of the feed itself, came, went, moved or changed. */
    isRearranged: boolean;
    /** Whether rows that follow were loaded: they are in `changes`, and none of them is new. */
    isMore: boolean;
    /** The changes as the server sent them; null when nobody said how the one came of the other. */
    changes: null;
    /** Whether nothing at all changed. */
    get isEmpty(): boolean;
    /** In words for a person: `1 new, 1 moved, 2 changed`. */
    get words(): string;
}
