// Several pages of a browser with one cache, at random, from a seed: each ends as the server has it,
// and what they leave is what the server had at that version.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Feed, Service, Snapshot } from "../../Public/freshet.js";
import { ModelServer } from "./modelServer.js";
import { generator, randomDocument, varied } from "./randomFeeds.js";

const times = { first: 1000, least: 1, most: 2, wait: 1000 };
const long = { title: "Long", sections: ["a", "b", "c"].map((id, section) => ({ id,
  items: Array.from({ length: 12 }, (_, index) => ({ id: `${section}.${index}`, likes: 0 })) })) };

/** What IndexedDB does in `Cache.js`, with writes that are lost now and then, as where there is no room. */
class Kept {
  rows = new Map();
  constructor(random) { this.random = random; }

  async read(place) {
    const rows = new Map([...this.rows].filter(([key]) => key.startsWith(`${place}\n`))
      .map(([key, text]) => [key.slice(place.length + 1), text]));
    const documents = [];
    const length = { whole: 0, changes: 0 };
    for (let since = ""; rows.has(since);) {
      const text = rows.get(since);
      rows.delete(since);
      length[since ? "changes" : "whole"] += text.length;
      documents.push(JSON.parse(text));
      const { token, count } = documents.at(-1);
      since = rows.has(`${token}+${count}`) ? `${token}+${count}` : token;
    }
    return { documents, at: 0, length };
  }

  async write(place, text, since = "") {
    if (this.random() < 0.1) return;
    if (since === "") await this.forget(place);
    this.rows.set(`${place}\n${since}`, text);
  }

  async forget(place) {
    for (const key of this.rows.keys()) if (key.startsWith(`${place}\n`)) this.rows.delete(key);
  }
}

/** What a server answers in place of the truth. */
const faults = [
  () => new TypeError("no network"), () => new Response("", { status: 503 }),
  () => new Response("<p>Sign in"), () => new Response('{"kind": "snap'),
  () => new Response("", { status: 502, headers: { "Retry-After": "0" } }),
  () => Response.json({ kind: "unchanged", token: "zzzzzzzz.1" }),
];

const shown = ({ snapshot }) => ({ members: snapshot.members, sections: snapshot.sections });

/** What a feed is to show: of the version that its token names. */
function truthOf(server, feed, past) {
  const [epoch, version] = feed.token.split(".");
  const { versions } = past.get(epoch);
  const model = new ModelServer();
  for (const document of versions.slice(0, version)) model.publish("news", document);
  const limit = feed.limit === undefined ? undefined : String(feed.limit);
  const isPart = limit !== undefined;
  const { members, sections } = Snapshot.read(model.document("news", undefined, null, limit), isPart);
  return { members, sections };
}

/** The same whether or not sections say how many items they have, which views do. */
const plain = ({ members, sections }) =>
  ({ members, sections: sections.map(({ count: _, ...section }) => section) });

for (const options of [{}, { first: 3 }, { limit: 4 }, { first: 4, most: 600 }]) {
  suite(`pages with feeds of ${JSON.stringify(options)}`, () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      test(`end as the server has them (${seed})`, async () => {
        const random = generator(seed * 7919);
        const [server, cache, past] = [new ModelServer(), new Kept(random), new Map()];
        let last = long;
        const publish = (isNew) => {
          if (isNew) server.delete("news", last);
          else server.publish("news", last);
          const feed = server.feeds.get("news");
          past.set(feed.epoch, feed);
        };
        publish(false);
        const truth = server.document.bind(server);
        server.document = (...asked) => {
          const document = truth(...asked);
          return document.kind === "changes" && random() < 0.05
            ? { ...document, order: "00000000" } : document;
        };
        server.intercept = () => (random() < 0.1 ? faults[Math.floor(random() * faults.length)]() : undefined);
        const services = [];
        const open = () => {
          const service = new Service("", { fetch: server.fetch, cache, times });
          services.push(service);
          const feed = new Feed(service, "news", options);
          feed.addEventListener("change", () => {
            // Of the first items alone there is no token.
            if (feed.token) assert.deepEqual(plain(shown(feed)), plain(truthOf(server, feed, past)));
          });
          if (random() < 0.5) feed.live();
          return feed;
        };
        const pages = [open(), open()];
        const quiet = () => {};
        for (let round = 0; round < 200; round += 1) {
          const dice = random();
          last = random() < 0.95 ? varied(last, random) : random() < 0.5 ? randomDocument(random) : long;
          if (random() < 0.6) publish(random() < 0.05);
          const place = Math.floor(random() * pages.length);
          const feed = pages[place];
          if (dice < 0.3) feed.refresh().catch(quiet);
          else if (dice < 0.4) feed.service.pull([feed]).catch(quiet);
          else if (dice < 0.55) feed.loadMore(1 + Math.floor(random() * 4)).catch(quiet);
          else if (dice < 0.6) server.cut();
          else if (dice < 0.65) feed.service.sleep();
          else if (dice < 0.75) feed.service.wake();
          else if (dice < 0.8) {
            const stop = new AbortController();
            feed.refresh({ signal: stop.signal }).catch(quiet);
            setImmediate(() => stop.abort());
          } else if (dice < 0.83) feed.forget();
          else if (dice < 0.86) (random() < 0.5 ? feed.stop() : feed.live());
          else if (dice < 0.92) {
            feed.stop();
            pages[place] = open();
          }
          if (random() < 0.4) await new Promise(setImmediate);
        }
        server.intercept = quiet;
        server.document = truth;
        for (const feed of pages) {
          feed.service.wake();
          await feed.refresh();
          assert.equal(feed.token, truth("news").token);
          assert.deepEqual(plain(shown(feed)), plain(truthOf(server, feed, past)));
          feed.stop();
        }
        for (const service of services) service.sleep();
        const again = new Feed(new Service("", { fetch: server.fetch, cache }), "news", options);
        if (await again.restore()) {
          assert.deepEqual(plain(shown(again)), plain(truthOf(server, again, past)));
        }
      });
    }
  });
}
