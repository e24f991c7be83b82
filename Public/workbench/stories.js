import { say } from "../pageTexts.js";
import { copy } from "./ClientView.js";

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

/**
 * What a publisher and readers do, step by step. Each step is what happened in words, a request as
 * `fetch` takes it, or a line for a shell, and the bytes that were sent in place of whole lists.
 * @typedef {{words: string, line: string, sent?: number, whole?: number}} Step
 */

/** How many readers ask in the third story, and how many at a time. */
const [readers, atOnce] = [1000, 12];

/** @type {Record<string, (bench: import("./Workbench.js").Workbench) => AsyncGenerator<Step>>} */
export const stories = {
  async *change(bench) {
    yield* begin(bench);
    const { token } = bench;
    await bench.edit("change");
    yield { words: say("One item changed. The publisher sends the whole list again; what differs the"
      + " server finds out."), line: await bench.publish() };
    yield await ask(bench, token, say("A reader that had the list asks what is new since."));
  },

  async *week(bench) {
    yield* begin(bench);
    const { token } = bench;
    const kinds = ["add", "change", "move", "remove", "change"];
    let line = "";
    let whole = 0;
    for (let turn = 0; turn < 21; turn += 1) {
      await bench.edit(kinds[turn % kinds.length]);
      line = await bench.publish();
      whole += await bench.size();
    }
    yield { words: say("A week goes by: the list is published three times a day, each time with a change."
      + " The reader that follows hears of each."), line };
    const asked = await ask(bench, token,
      say("The other one was away. It asks once, and gets all that it missed in one answer."));
    yield { ...asked, whole };
    await bench.ask();
  },

  async *readers(bench) {
    yield* begin(bench);
    const { token } = bench;
    const same = await crowd(bench, { "If-None-Match": `"${token}"` });
    yield { words: say("A thousand readers ask, and nothing is new: {bytes} bytes of content in {seconds} s.",
      same), sent: same.bytes, whole: readers * await bench.size(),
      line: loop(bench.line("", { "If-None-Match": `"${token}"` })) };
    await bench.edit("change");
    yield { words: say("One item changes."), line: await bench.publish() };
    const query = `?since=${token}&as=changes`;
    const { bytes, seconds } = await crowd(bench, {}, query);
    yield { words: say("All thousand ask what is new, and are told in {seconds} s.", { seconds }),
      line: loop(bench.line(query)), sent: bytes, whole: readers * await bench.size() };
  },
};

/** Publishes the list that is written, so that there is one. */
async function* begin(bench) {
  const line = await bench.publish();
  yield { words: say("A publisher sends a list of {count} items.", { count: bench.count }), line };
}

async function ask(bench, token, words) {
  const query = `?since=${token}&as=changes`;
  const text = await bench.read(query);
  return { words, line: bench.line(query), sent: bench.bytes(text), whole: await bench.size() };
}

/** Has a thousand readers ask: the bytes of all answers, and how long it took. */
async function crowd(bench, headers, query = "") {
  const start = performance.now();
  let [left, bytes] = [readers, 0];
  const reader = async () => {
    while (left > 0) {
      left -= 1;
      bytes += bench.bytes(await bench.read(query, headers));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, reader));
  return { bytes, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}

/** A line for a shell that does the same a thousand times. */
function loop(line) {
  return `for n in $(seq ${readers}); do ${line.replace("curl", "curl -s -o /dev/null"
    + " -w '%{http_code} %{size_download}\\n'")}; done | sort | uniq -c`;
}
