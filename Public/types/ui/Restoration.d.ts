/** Keeps where a scroll view is, under its restoration identifier, and goes back there. */
export class Restoration {
    /**
   * @param {import("./ScrollView.js").ScrollView} view */
    constructor(view: import("./ScrollView.js").ScrollView);
    /** Whether it is where it was, or has gone elsewhere since. */
    isOver: boolean;
    save: () => void;
    /** Goes to where it was when the page went away, once there is such a place. */
    restore(): void;
    #private;
}
