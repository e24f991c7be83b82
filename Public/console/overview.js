import { say } from "../words/pages.js";
import { element } from "./cells.js";
import { bytes, distance, percent, whole } from "./units.js";

/** What the server says in a few numbers, each with a note. @returns {[string, string, string][]} */
function tiles(server) {
  const { connections, responses, feeds, publishes, descriptors, journal, mirror } = server;
  const readers = connections.longPolls + connections.streams;
  const lag = Math.max(0, ...server.loops.map((loop) => loop.lagMicroseconds)) / 1000;
  const stuck = server.loops.filter((loop) => !loop.responsive).length;
  const found = [
    [say("Readers who wait"), whole(readers),
      say("{streams} streams, {polls} long polls", { streams: connections.streams, polls: connections.longPolls })],
    [say("Connections"), whole(connections.open), descriptors === undefined ? ""
      : say("{open} of {limit} descriptors", descriptors)],
    [say("Feeds"), whole(feeds.count), say("{versions} versions", feeds)],
    [say("Publishes"), whole(publishes.changed), say("{unchanged} more changed nothing", publishes)],
    [say("Responses"), whole(responses.count),
      say("{share} said that nothing changed", { share: percent(responses.notModified / (responses.count || 1)) })],
    [say("Sent"), bytes(responses.contentBytes),
      say("{saved} less by changes", { saved: bytes(responses.savedBytes) })],
    [say("Event loops"), whole(server.loops.length), stuck > 0 ? say("{stuck} do not answer", { stuck })
      : say("answered within {lag} ms", { lag })],
    [say("Version"), server.version, say("began {when}", { when: distance(server.started) })],
  ];
  if (journal) {
    found.push([say("Disk"), journal.freeBytes === undefined ? "–" : bytes(journal.freeBytes),
      journal.trouble ?? say("free; publishes are kept")]);
  }
  if (mirror) {
    found.push([say("Mirror"), mirror.following ? say("follows") : say("is cut off"),
      say("{behind} feeds are behind", mirror)]);
  }
  return found;
}

/** Shows how the server is. @param {HTMLElement} list @param {any} server */
export function showTiles(list, server) {
  list.replaceChildren(...tiles(server).map(([name, value, note]) => element("div", {},
    element("dt", {}, name), element("dd", {}, value), element("dd", { class: "note" }, note))));
}

const parts = () => [
  ["current", say("Current versions")], ["history", say("Past versions")],
  ["responses", say("Cached responses")], ["idempotency", say("Answers to publishes")],
  ["connections", say("Connections")],
];

/** Shows what the memory is for. @param {Record<string, HTMLElement>} places */
export function showMemory({ note, bar, list }, memory) {
  const feeds = memory.current + memory.history + memory.responses + memory.idempotency;
  note.textContent = say("Feeds take {feeds} of the {limit} that they may.", {
    feeds: bytes(feeds), limit: bytes(memory.limit),
  }) + (memory.process === undefined ? ""
    : ` ${say("The process has {process}.", { process: bytes(memory.process) })}`);
  const whole = Math.max(memory.process ?? 0, feeds + memory.connections, 1);
  bar.replaceChildren(...parts().map(([part]) => {
    const piece = element("i", { "data-part": part });
    piece.style.inlineSize = `${(100 * memory[part]) / whole}%`;
    return piece;
  }));
  list.replaceChildren(...parts().map(([part, name]) => element("div", { "data-part": part },
    element("dt", {}, name), element("dd", {}, bytes(memory[part])))));
}
