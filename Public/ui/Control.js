import { reflect } from "./reflect.js";

/** The states of a control, an option set. */
export const ControlState = { normal: 0, highlighted: 1, disabled: 2, selected: 4, focused: 8 };

/**
 * The base of what a person operates; it is never used by itself. Events (docs/UI.md) go to the
 * targets that were added for them, and are DOM events too.
 */
export class Control extends HTMLElement {
  #targets = [];
  #pointer = null;
  #isInside = false;

  constructor() {
    super();
    this.addEventListener("pointerdown", (event) => this.#down(event));
    this.addEventListener("pointermove", (event) => this.#moved(event));
    this.addEventListener("pointerup", (event) => this.#up(event));
    this.addEventListener("pointercancel", (event) => this.#cancelled(event));
    this.addEventListener("keydown", (event) => this._keyDown(event));
  }

  /** The bits of `ControlState`. */
  get state() {
    return (this.isHighlighted && 1) | (!this.isEnabled && 2) | (this.isSelected && 4)
      | (this.matches(":focus") && 8);
  }

  /** Whether it tracks and sends. */
  get isEnabled() { return this.ariaDisabled !== "true"; }
  set isEnabled(isEnabled) {
    this.ariaDisabled = isEnabled ? null : "true";
    if (!isEnabled && this.isTracking) this.#cancelled({ pointerId: this.#pointer });
  }

  /** Whether it follows a finger or a button of the mouse. */
  get isTracking() { return this.#pointer !== null; }
  /** Whether what it follows is within its bounds. */
  get isTouchInside() { return this.#isInside; }

  /** Has events call an action (a method's name, or a function) with the sender and the event. */
  addTarget(target, action, events) {
    for (const event of [events].flat()) {
      if (this.#find(target, action, event).length > 0) continue;
      this.#targets.push({ target: target && new WeakRef(target), action, event });
    }
  }

  /** Ends what `addTarget` began: of all actions or events where none is given. */
  removeTarget(target, action = null, events = null) {
    const gone = new Set([events].flat().flatMap((event) => this.#find(target, action, event)));
    this.#targets = this.#targets.filter((one) => !gone.has(one));
  }

  /** @returns {Set<?object>} null stands for the responder chain */
  get allTargets() { return new Set(this.#targets.map(({ target }) => target?.deref() ?? null)); }

  /** @returns {Set<string>} */
  get allControlEvents() { return new Set(this.#targets.map(({ event }) => event)); }

  /** The actions that a target has for an event. */
  actions(target, event) { return this.#find(target, null, event).map(({ action }) => action); }

  /** Sends one action; a subclass may watch or change what is sent. */
  sendAction(action, target, event) {
    let receiver = target;
    if (typeof action === "function") return action.call(receiver, this, event);
    if (target === null) {
      receiver = this;
      while (receiver && !receiver[action]) receiver = receiver.parentNode ?? receiver.host;
    }
    receiver?.[action]?.(this, event);
  }

  /** Sends every action that is registered for these events. */
  sendActions(events, event = null) {
    if (!this.isEnabled) return;
    for (const name of [events].flat()) {
      for (const { target, action } of this.#targets.filter((one) => one.event === name)) {
        const receiver = target && target.deref();
        if (receiver !== undefined) this.sendAction(action, receiver, event);
      }
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: event }));
    }
  }

  /** A finger or button went down: whether to follow it. */
  beginTracking(_event) { return true; }
  /** It moved: whether to go on. */
  continueTracking(_event) { return true; }
  /** It was let go. */
  endTracking(_event) {}
  /** Something else took it over. */
  cancelTracking(_event) {}

  /** What a screen reader calls it. */
  get accessibilityLabel() { return this.ariaLabel; }
  set accessibilityLabel(label) { this.ariaLabel = label; }
  /** What it is: an ARIA role. */
  get accessibilityTraits() { return this.role; }
  set accessibilityTraits(role) { this.role = role; }
  /** What operating it does. */
  get accessibilityHint() { return this.ariaDescription; }
  set accessibilityHint(hint) { this.ariaDescription = hint; }
  get accessibilityValue() { return this.ariaValueText; }
  set accessibilityValue(value) { this.ariaValueText = value; }
  /** Where it is in the window. */
  get accessibilityFrame() { return this.getBoundingClientRect(); }

  /** Enter and the space bar do what a tap does. */
  _keyDown(event) {
    if (event.target !== this || event.repeat || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    this.sendActions(["touchDown", "touchUpInside", "primaryActionTriggered"], event);
  }

  /** The registrations of a target; null of action or event is any. */
  #find(target, action, event) {
    return this.#targets.filter((one) => (one.target?.deref() ?? null) === target
      && (action === null || one.action === action) && (event === null || one.event === event));
  }

  #down(event) {
    if (!this.isEnabled || this.isTracking || event.button !== 0) return;
    if (!this.beginTracking(event)) return;
    this.#pointer = event.pointerId;
    this.isHighlighted = this.#isInside = true;
    this.setPointerCapture(event.pointerId);
    this.sendActions("touchDown", event);
  }

  #moved(event) {
    if (event.pointerId !== this.#pointer) return;
    const { left, right, top, bottom } = this.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    this.isHighlighted = this.#isInside = x >= left && x < right && y >= top && y < bottom;
    if (!this.continueTracking(event)) return this.#cancelled(event);
    this.sendActions(this.#isInside ? "touchDragInside" : "touchDragOutside", event);
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    const events = this.#isInside ? ["touchUpInside", "primaryActionTriggered"] : "touchUpOutside";
    this.#release();
    this.endTracking(event);
    this.sendActions(events, event);
  }

  #cancelled(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#release();
    this.cancelTracking(event);
    this.sendActions("touchCancel", event);
  }

  #release() {
    if (this.hasPointerCapture(this.#pointer)) this.releasePointerCapture(this.#pointer);
    this.#pointer = null;
    this.isHighlighted = this.#isInside = false;
  }
}

reflect(Control, {
  isSelected: false, isHighlighted: false,
  contentHorizontalAlignment: "center", contentVerticalAlignment: "center",
});
