import { around, el, reflect, UIElement } from "./page.js";

/** The states of a control, an option set. */
export const ControlState = { normal: 0, highlighted: 1, disabled: 2, selected: 4, focused: 8 };

/** How long a finger is to rest before a scroll view leaves it to a control, in milliseconds. */
const delay = 150;

/** How what is selected says so, by its role. */
const selections = {
  button: "ariaPressed", checkbox: "ariaChecked", switch: "ariaChecked", radio: "ariaChecked",
  option: "ariaSelected", tab: "ariaSelected", row: "ariaSelected", treeitem: "ariaSelected",
};

/**
 * The base of what a person operates; it is never used by itself. Events (docs/UI.md) go to the
 * targets that were added for them, and are DOM events too.
 */
export class Control extends UIElement {
  #targets = [];
  #pointer = null;
  #isInside = false;
  /** When a finger went down, until it is known whose it is; then whether it is kept here. */
  #touched = 0;
  #keeps = null;

  constructor() {
    super();
    this.addEventListener("touchstart", (event) => this.#touchBegan(event), { passive: true });
    this.addEventListener("touchmove", (event) => this.#touchMoved(event), { passive: false });
    this.addEventListener("pointerdown", (event) => this.#down(event));
    this.addEventListener("pointermove", (event) => this.#moved(event));
    this.addEventListener("pointerup", (event) => this.#up(event));
    this.addEventListener("pointercancel", (event) => this.#cancelled(event));
    this.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** The bits of `ControlState`. */
  get state() {
    return [this.isHighlighted, !this.isEnabled, this.isSelected, this.matches(":focus")]
      .reduce((bits, isOn, index) => bits | (isOn ? 1 << index : 0), 0);
  }

  /** Whether it tracks and sends. */
  get isEnabled() { return this.ariaDisabled !== "true"; }
  set isEnabled(isEnabled) {
    this.ariaDisabled = isEnabled ? null : "true";
    if (!isEnabled) this.#lose();
  }

  /** Whether it is chosen; a screen reader hears that in the way of what it is. */
  get isSelected() { return this.dataset.isSelected === "true"; }
  set isSelected(isSelected) {
    this.dataset.isSelected = `${isSelected}`;
    this.#saySelected();
  }

  /** A button that the Tab key reaches, unless a subclass or the page says otherwise. */
  connectedCallback() {
    if (!this.hasAttribute("tabindex")) this.tabIndex = 0;
    this.role ??= "button";
    if (this.isSelected) this.#saySelected();
  }

  disconnectedCallback() { this.#lose(); }

  /** Whether it follows a finger or a button of the mouse. */
  get isTracking() { return this.#pointer !== null; }
  /** Whether what it follows is within its bounds. */
  get isTouchInside() { return this.#isInside; }

  /**
   * Has events call an action (a method's name, or a function) with the sender and the event.
   */
  addTarget(target, action, events) {
    const reference = target && new WeakRef(target);
    const receiver = () => reference && reference.deref();
    for (const event of [events].flat()) {
      if (this.actions(target, event).includes(action)) continue;
      this.#targets.push({ receiver, action, event });
    }
  }

  /** Ends what `addTarget` began: null stands for all targets, actions or events. */
  removeTarget(target = null, action = null, events = null) {
    const names = events && [events].flat();
    this.#targets = this.#registered.filter((one) => target && one.receiver() !== target
      || action && one.action !== action || names && !names.includes(one.event));
  }

  /** Null stands for the responder chain. */
  get allTargets() { return new Set(this.#registered.map(({ receiver }) => receiver())); }

  get allControlEvents() { return new Set(this.#registered.map(({ event }) => event)); }

  /** The actions that a target has for an event. */
  actions(target, event) {
    return this.#registered.filter((one) => one.receiver() === target && one.event === event)
      .map(({ action }) => action);
  }

  /** Sends one action; a subclass may watch or change what is sent. */
  sendAction(action, target, event) {
    if (typeof action === "function") return action.call(target, this, event);
    let receiver = target ?? this;
    while (target === null && receiver && typeof receiver[action] !== "function") {
      receiver = around(receiver);
    }
    receiver?.[action]?.(this, event);
  }

  /** Sends every action that is registered for these events. */
  sendActions(events, event = null) {
    for (const name of [events].flat()) {
      // An action may have disabled it.
      if (!this.isEnabled) return;
      for (const one of this.#registered) {
        if (one.event === name) this.#send(one, event);
      }
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: event }));
    }
  }

  /** Sends one action of several: one that throws is reported, and stops no other. */
  #send({ action, receiver }, event) {
    try {
      this.sendAction(action, receiver(), event);
    } catch (error) {
      reportError(error);
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

  /** For a scroll view: it takes the finger that this follows. */
  cancelTouch() { this.#lose(); }

  /** Where it is in the window. */
  get accessibilityFrame() { return this.getBoundingClientRect(); }

  /** Enter and the space bar do what a tap does. */
  handleKey(event) {
    if (event.target !== this || event.repeat || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    this.sendActions(["touchDown", "touchUpInside", "primaryActionTriggered"], event);
  }

  #saySelected() {
    const name = selections[this.role];
    if (name) this[name] = String(this.isSelected);
  }

  /** What is registered for targets that are still there. */
  get #registered() {
    return this.#targets = this.#targets.filter(({ receiver }) => receiver() !== undefined);
  }

  #touchBegan({ touches, timeStamp }) {
    if (touches.length > 1) return;
    this.#touched = timeStamp;
    this.#keeps = null;
  }

  /** Keeps a finger that it follows from scrolling, unless a scroll view has it. */
  #touchMoved(event) {
    if (!this.isTracking || event.touches.length > 1 || !event.cancelable) return;
    this.#keeps ??= this.#isToKeep(event.timeStamp - this.#touched);
    if (this.#keeps) event.preventDefault();
  }

  #isToKeep(rested) {
    // A style sheet that says what fingers do here is heeded.
    const { touchAction } = getComputedStyle(this);
    if (touchAction !== "auto") return touchAction === "none";
    const view = nearest(this, ".ui-scroll");
    if (!view?.isScrollEnabled) return true;
    return !(view.delaysContentTouches && rested < delay)
      && !(view.canCancelContentTouches && view.touchesShouldCancel(this));
  }

  #down(event) {
    if (!this.isEnabled || this.isTracking || event.button !== 0) return;
    const view = nearest(nearest(this, ".ui-content"), ".ui-scroll");
    if (view?.touchesShouldBegin?.(event, this) === false) return;
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
    if (!this.continueTracking(event)) return this.#lose(event);
    this.sendActions(this.#isInside ? "touchDragInside" : "touchDragOutside", event);
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    const events = this.#isInside ? ["touchUpInside", "primaryActionTriggered"] : "touchUpOutside";
    this.#release();
    this.endTracking(event);
    this.sendActions(events, event);
  }

  #cancelled(event) { if (event.pointerId === this.#pointer) this.#lose(event); }

  /** Follows nothing any more, if it did. */
  #lose(event = null) {
    if (!this.isTracking) return;
    this.#release();
    this.cancelTracking(event);
    this.sendActions("touchCancel", event);
  }

  #release() {
    if (this.#pointer !== null && this.hasPointerCapture(this.#pointer)) this.releasePointerCapture(this.#pointer);
    this.#pointer = null;
    this.isHighlighted = this.#isInside = false;
  }
}

/** The first that a selector is of among an element and all that it is shown in. */
function nearest(element, selector) {
  let one = element;
  while (one && !one.matches?.(selector)) one = around(one);
  return one;
}

const accessibility = {
  Label: "ariaLabel", Traits: "role", Hint: "ariaDescription", Value: "ariaValueText",
};
for (const [name, aria] of Object.entries(accessibility)) {
  Object.defineProperty(Control.prototype, `accessibility${name}`, {
    get() { return this[aria]; },
    set(value) { this[aria] = value; },
  });
}

reflect(Control, {
  isHighlighted: false,
  contentHorizontalAlignment: "center", contentVerticalAlignment: "center",
});

/** The titles of a table's sections, to jump by: `<index-bar>`. `value` is a title's number. */
export class IndexBar extends Control {
  static tag = "index-bar";
  #titles = [];
  #value = -1;
  /** What it was drawn for. */
  #drawn = [];

  connectedCallback() {
    this.classList.add("ui-index-bar");
    this.role = "slider";
    this.ariaOrientation = "vertical";
    this.ariaLabel ??= "Sections";
    this.tabIndex = 0;
  }

  get titles() { return this.#titles; }
  set titles(titles) {
    this.#titles = titles;
    this.ariaValueMin = "1";
    this.ariaValueMax = `${titles.length}`;
    // Where it has not led anywhere yet, it stands at the first one.
    if (this.#value < 0) Object.assign(this, { ariaValueNow: "1", ariaValueText: titles[0] ?? "" });
    this.draw(this.clientHeight);
  }

  get value() { return this.#value; }
  set value(value) {
    this.#value = value;
    this.ariaValueNow = `${value + 1}`;
    this.ariaValueText = this.dataset.letter = this.#titles[value] ?? "";
  }

  /** Shows as many of the titles as a height has room for. */
  draw(height) {
    const line = parseFloat(getComputedStyle(this).lineHeight) || 14;
    // Drawing it has the browser lay out all that is around it.
    const asked = [this.#titles, line, height];
    if (asked.every((value, index) => value === this.#drawn[index])) return;
    this.#drawn = asked;
    const step = Math.max(1, Math.ceil(this.#titles.length * line / Math.max(height, 1)));
    const shown = this.#titles.filter((_, index) => index % step === 0);
    this.replaceChildren(...shown.map((title) => el("span", {}, title)));
  }

  /** A touch leads to its title also when that is where the last one led. */
  beginTracking(event) {
    this.#value = -1;
    return this.continueTracking(event);
  }

  continueTracking({ clientY }) {
    const top = this.firstElementChild?.getBoundingClientRect().top ?? 0;
    const bottom = this.lastElementChild?.getBoundingClientRect().bottom ?? 1;
    // The letter that is shown beside it follows the finger, which hides the one in the bar.
    const y = Math.max(top, Math.min(clientY, bottom)) - this.getBoundingClientRect().top;
    this.style.setProperty("--letter-y", `${y}px`);
    this.#choose(Math.floor((clientY - top) / (bottom - top) * this.#titles.length));
    return true;
  }

  handleKey(event) {
    const last = this.#titles.length - 1;
    const values = {
      ArrowUp: this.#value - 1, ArrowDown: this.#value + 1, ArrowLeft: this.#value - 1,
      ArrowRight: this.#value + 1, Home: 0, End: last, PageUp: this.#value - 5,
      PageDown: this.#value + 5,
    };
    if (!(event.key in values) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#choose(values[event.key], event);
  }

  #choose(value, event = null) {
    const next = Math.max(0, Math.min(value, this.#titles.length - 1));
    if (next === this.#value) return;
    this.value = next;
    this.sendActions("valueChanged", event);
  }
}
