// Runs the cases of docs/ui-vectors in a page: the view of a case, its steps, what must hold then.

import * as ui from "/ui.js";
import { mismatches, refusal, sectionsOf } from "/tests/uiVectors.js";
import { Log } from "./vectorLog.js";
import { pathOf } from "./vectorPaths.js";
import { readings } from "./vectorReadings.js";
import { TableSource } from "./vectorTables.js";

const point = ([x, y]) => ({ x, y });
const rectangle = ([x, y, width, height]) => ({ x, y, width, height });
const shapes = { contentOffset: point, contentSize: ([width, height]) => ({ width, height }) };

class VectorControl extends ui.Control {
  answers = {};
  log = null;
  #tracked(name) {
    this.log?.heard(name);
    return this.answers[name] ?? true;
  }

  beginTracking() { return this.#tracked("beginTracking"); }
  continueTracking() { return this.#tracked("continueTracking"); }
  endTracking() { this.#tracked("endTracking"); }
  cancelTracking() { this.#tracked("cancelTracking"); }
}

customElements.define("vector-control", VectorControl);

/** A case: its view, and what was heard of it. */
class Stage {
  constructor(spec) {
    this.spec = spec;
    this.log = new Log(spec.hears ?? []);
    this.controls = {};
    this.#make(spec.sections);
  }

  #make(sections) {
    const { type, size: [width, height], content, set = {}, answers = {} } = this.spec;
    const view = this.view = type === "Control" ? new VectorControl() : new ui[type]();
    const display = type === "ActivityIndicator" ? "inline-block" : "block";
    Object.assign(view.style, { display, width: `${width}px`, height: `${height}px` });
    if (type === "TableView") Object.assign(view, { rowHeight: 50, sectionHeaderHeight: 30 });
    if (content) view.contentSize = shapes.contentSize(content);
    this.#set(view, set);
    if (this.spec.refreshControl) this.#addRefreshControl();
    if (type === "Control") return this.#showControl(answers);
    for (const [name, answer] of Object.entries(answers)) view[name] = () => answer;
    view.delegate = this.log.delegate;
    for (const one of this.spec.controls ?? []) this.#addControl(one);
    this.#addPages(this.spec.pages ?? 0);
    if (type === "RefreshingScrollView") this.#addRequest();
    document.body.replaceChildren(view);
    if (!sections) return;
    this.source = new TableSource(view, this.spec, sectionsOf(sections), this.log);
  }

  #showControl(answers) {
    const { view, log, spec: { hears = [], targets = {}, chain = [[]] } } = this;
    Object.assign(view, { answers, log, tabIndex: 0 });
    view.style.touchAction = "none";
    this.targets = Object.fromEntries(Object.entries(targets).map(([name, actions]) =>
      [name, this.#responder({}, name, actions)]));
    const last = chain.reduce((inner, actions, index) => {
      const element = index === 0 ? inner : document.createElement("div");
      if (index > 0) element.append(inner);
      return this.#responder(element, `chain[${index}]`, actions);
    }, view);
    const isEvent = (name) => !name.endsWith("Tracking");
    for (const name of hears.filter(isEvent)) view.addTarget(log, () => log.heard(name), name);
    document.body.replaceChildren(last);
  }

  #responder(object, name, actions) {
    for (const action of actions) object[action] = () => this.log.add(`${name}.${action}`);
    return object;
  }

  #addControl({ id, frame: [left, top, width, height] }) {
    const control = this.controls[id] = new VectorControl();
    Object.assign(control.style, { position: "absolute", display: "block", left: `${left}px`,
      top: `${top}px`, width: `${width}px`, height: `${height}px` });
    for (const name of this.spec.hears ?? []) {
      control.addTarget(null, () => this.log.heard(name, `${id} ${name}`), name);
    }
    this.view.contentView.append(control);
  }

  #addPages(count) {
    for (let number = 0; number < count; number += 1) {
      const page = document.createElement("div");
      page.style.height = this.view.style.height;
      this.view.contentView.append(page);
    }
  }

  #addRefreshControl() {
    const control = new ui.RefreshControl();
    control.addTarget(null, () => {
      this.log.add("valueChanged");
      if (this.spec.refreshControl === "ends") control.endRefreshing();
    }, "valueChanged");
    this.view.refreshControl = this.controls.refreshControl = control;
  }

  #addRequest() {
    this.view.request = () => {
      this.log.add("request");
      return new Promise((answer, fail) => { this.answer = { answer, fail }; });
    };
  }

  #set(object, properties) {
    for (const [name, value] of Object.entries(properties)) {
      if (!(name in object)) throw new Error(`nothing is known of ${name}`);
      object[name] = shapes[name]?.(value) ?? value;
    }
  }

  /** @returns {string[]} what is not as expected when it returns */
  step(step) {
    const said = refusal(step, () => this.#act(step));
    return [...said, ...this.check(step.expect ?? {})];
  }

  #act(step) {
    const { set, call, of, batch, apply, answer, fail } = step;
    const object = of ? this.controls[of] : this.view;
    if (set) this.#set(object, set);
    else if (call) this.#call(object, step);
    else if (batch) this.source.batch(step);
    else if (step.drop) delete this.targets[step.drop];
    else if (apply) this.source.apply(step);
    else if (answer !== undefined) this.answer.answer(answer);
    else if (fail !== undefined) this.answer.fail(fail);
    else if (step.again) this.#again(step.sections ?? this.source?.sections);
    else if (!step.look) throw new Error(`no such step: ${JSON.stringify(step)}`);
  }

  #again(sections) {
    const state = this.view.encodeRestorableState();
    this.#make(sections);
    this.view.decodeRestorableState(JSON.parse(JSON.stringify(state)));
  }

  #call(object, { call: [name, ...given], to }) {
    if (to) this.source.change(to);
    const make = {
      setContentOffset: (offset, animated) => [point(offset), animated],
      scrollRectToVisible: (rect, animated) => [rectangle(rect), animated],
      scrollToRow: (path, ...more) => [pathOf(path), ...more],
      selectRow: (path, ...more) => [path && pathOf(path), ...more],
      deselectRow: (path) => [pathOf(path)],
      reconfigureRows: (paths) => [paths.map(pathOf)],
      addTarget: (target, ...more) => [target && this.targets[target], ...more],
      removeTarget: (target, ...more) => [target && this.targets[target], ...more],
    };
    const values = make[name]?.(...given) ?? given;
    if (name === "performEmptyBatch") {
      object.performBatchUpdates(null, () => this.log.add("completed"), false);
    } else if (name === "setDataSource") object.dataSource = { numberOfRows: () => 0 };
    else object[name](...values);
  }

  /** What is not as expected; when all is, what was heard counts as told. */
  check(expect) {
    const wrong = mismatches(expect, readings(this));
    if (wrong.length > 0) return wrong;
    if ("log" in expect || "logHas" in expect) this.log.told();
    this.source?.told(expect);
    return [];
  }

  /** A place in the window. */
  place(at) {
    if (Array.isArray(at)) return at;
    const bar = this.view.querySelector("index-bar");
    const { top, left, width } = bar.firstChild.getBoundingClientRect();
    const { bottom } = bar.lastChild.getBoundingClientRect();
    return [left + width / 2, top + (bottom - top) * (at.index + 0.5) / bar.titles.length];
  }

  /** Resolves when nothing moves by itself. */
  async rest(patience) {
    const { view } = this;
    const end = performance.now() + patience * 1000;
    for (let [last, same] = ["", 0]; same < 4;) {
      if (performance.now() > end) throw new Error(`never at rest: ${last}`);
      await new Promise(requestAnimationFrame);
      const running = view.getAnimations({ subtree: true })
        .filter((one) => one.effect.getTiming().iterations !== Infinity).length;
      const now = JSON.stringify([view.contentOffset, view.isDecelerating, running]);
      same = now === last && running === 0 && !view.isDecelerating ? same + 1 : 0;
      last = now;
    }
  }
}

window.vectors = {
  make(view) {
    window.stage = new Stage(view);
  },
};
window.ready = Promise.resolve();
