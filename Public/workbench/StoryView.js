import { copy } from "./ClientView.js";
import { stories } from "./stories.js";
import { say } from "../words/pages.js";

/** Stories that are clicked through: their steps, with lines for a shell. */
export class StoryView {
  #place;
  #bench;
  #isRunning = false;

  /** @param {HTMLElement} panel @param {import("./Workbench.js").Workbench} bench */
  constructor(panel, bench) {
    this.#place = panel.querySelector("ol");
    this.#bench = bench;
    for (const button of panel.querySelectorAll("[data-story]")) {
      button.addEventListener("click", () => this.#tell(button));
    }
    panel.addEventListener("click", copy);
  }

  async #tell(button) {
    if (this.#isRunning) return;
    this.#isRunning = true;
    button.dataset.busy = "true";
    this.#place.replaceChildren();
    this.#place.hidden = false;
    try {
      for await (const step of stories[button.dataset.story](this.#bench)) this.#show(step);
    } catch ({ message }) {
      this.#show({ words: message });
    }
    delete button.dataset.busy;
    this.#isRunning = false;
  }

  #show({ words, line, sent, whole }) {
    const step = document.createElement("li");
    const said = document.createElement("p");
    said.textContent = words;
    step.append(said);
    if (whole) step.append(...bars(sent, whole));
    if (line) {
      const code = document.createElement("code");
      code.textContent = line;
      code.tabIndex = 0;
      const button = Object.assign(document.createElement("button"),
        { type: "button", className: "copy", textContent: say("Copy") });
      const row = document.createElement("div");
      row.className = "line";
      row.append(code, button);
      step.append(row);
    }
    this.#place.append(step);
  }
}

/** How much less some bytes are than others, in words of a hundred: all only where none were sent. */
export function percentLess(sent, whole) {
  return sent > 0 ? Math.min(Math.round(100 - 100 * sent / whole), 99) : 100;
}

/** What was sent beside what whole lists would have been. */
export function bars(sent, whole) {
  const less = percentLess(sent, whole);
  const words = document.createElement("p");
  words.className = "size";
  words.textContent = say("{sent} bytes in place of {whole}: {less} % less", { sent, whole, less });
  const meter = document.createElement("div");
  meter.className = "meter";
  meter.ariaHidden = "true";
  const part = document.createElement("i");
  part.style.inlineSize = `${Math.max(100 * sent / whole, 0.5)}%`;
  meter.append(part);
  return [words, meter];
}
