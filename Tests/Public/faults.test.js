// What a client makes of answers that are late, wrong or missing at the wrong moment.

import assert from "node:assert/strict";
import { afterEach, beforeEach, suite, test } from "node:test";
import { Feed, FreshetError, Service } from "../../Public/freshet.js";
import { ModelServer } from "./modelServer.js";

const items = (count, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, ...more[index] }));
const document = (count, more) => ({ title: "T", sections: [{ id: "a", items: items(count, more) }] });
const services = [];

// A test that failed must not leave anything that goes on.
afterEach(() => {
  for (const service of services.splice(0)) service.sleep();
});

function model(options = {}) {
  const server = new ModelServer();
  server.publish("news", document(5));
  const times = { first: 1000, least: 1, most: 2, wait: 60_000 };
  const service = new Service("", { fetch: server.fetch, cache: null, times, ...options });
  services.push(service);
  return { server, service };
}

const unavailable = (more) => new Response("", { status: 503, headers: more });

async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets what is under way come to where it waits for a timer. */
async function turns(count = 20) {
  while (count-- > 0) await new Promise((resolve) => setImmediate(resolve));
}

suite("a feed whose first items are asked for first", () => {
  test("goes on showing all of them while it is fetched anew", async () => {
    const { server, service } = model();
    const feed = new Feed(service, "news", { first: 2 });
    await feed.refresh();
    const truth = server.document.bind(server);
    server.document = (...asked) => ({ ...truth(...asked), ...asked[1] && { order: "00000000" } });
    server.publish("news", document(6));
    server.intercept = (path) => (path === "/feeds/news" ? unavailable() : undefined);
    await assert.rejects(feed.refresh(), { status: 503 });
    assert.equal(feed.token, null);
    server.intercept = () => undefined;
    const counts = [];
    feed.addEventListener("change", () => counts.push(feed.snapshot.count));
    assert.equal((await feed.refresh()).words, "1 new");
    assert.deepEqual(counts, [6]);
  });

  test("says which of those are others when all are here", async () => {
    const { server, service } = model();
    const feed = new Feed(service, "news", { first: 2 });
    server.intercept = (path) => {
      if (path === "/feeds/news") server.publish("news", document(5, { 1: { title: "Other" } }));
    };
    const results = [];
    feed.addEventListener("change", ({ detail }) => results.push([detail.isFirst, ...detail.updated]));
    await feed.refresh();
    assert.deepEqual(results, [[true], [true, "1"]]);
    assert.equal(feed.snapshot.item("1").title, "Other");
  });
});

suite("a feed that is forgotten", () => {
  for (const kind of ["unchanged", "changes"]) {
    test(`while it takes in what is ${kind} is asked for anew`, async () => {
      for (let moment = 0; moment < 8; moment += 1) {
        const { server, service } = model();
        const feed = new Feed(service, "news");
        await feed.refresh();
        if (kind === "changes") server.publish("news", document(6));
        const taken = feed.applyDocument(server.document("news", "aaaaaaaa.1"));
        for (let turn = 0; turn < moment; turn += 1) await null;
        feed.forget();
        await taken;
        assert.equal(feed.token === null, feed.snapshot === null);
      }
    });
  }
});

suite("rows that are loaded of a feed that is forgotten", () => {
  test("are none", async () => {
    for (let moment = 0; moment < 30; moment += 1) {
      const { service } = model();
      const feed = new Feed(service, "news", { limit: 2 });
      await feed.refresh();
      const more = feed.loadMore();
      for (let turn = 0; turn < moment; turn += 1) await null;
      feed.forget();
      await more;
      assert.equal(feed.token === null, feed.snapshot === null);
    }
  });
});

suite("a service that sleeps", () => {
  for (const [name, change] of Object.entries({
    "a feed that is followed no longer": ({ other }) => other.stop(),
    "one that is followed now": ({ service }) => new Feed(service, "news").live(),
    "one of another view": ({ service }) => new Feed(service, "news", { limit: 2 }).live(),
    "another key": ({ service }) => { service.key = "other"; },
  })) {
    test(`does so on with ${name}`, async (context) => {
      context.mock.timers.enable({ apis: ["setTimeout"] });
      const { server, service } = model();
      const [feed, other] = [new Feed(service, "news"), new Feed(service, "news")];
      for (const one of [feed, other]) one.live();
      await until(() => feed.state === "live");
      context.mock.timers.tick(1000);
      await until(() => other.state === "live");
      service.sleep();
      server.asked.length = 0;
      change({ service, other });
      await turns();
      context.mock.timers.tick(1000);
      await turns();
      assert.deepEqual(server.asked, []);
      service.wake();
      await until(() => feed.state === "live");
    });
  }
});

suite("news of another page", () => {
  beforeEach(() => {
    globalThis.document = { hidden: false, addEventListener() {} };
    globalThis.navigator ??= {};
  });

  afterEach(() => { delete globalThis.document; });

  test("is not said by what was stopped when it came", async (context) => {
    const post = context.mock.method(BroadcastChannel.prototype, "postMessage");
    const feed = new Feed(model().service, "news");
    feed.addEventListener("change", () => feed.stop());
    feed.live();
    await until(() => feed.snapshot !== null);
    await turns();
    assert.equal(post.mock.callCount(), 0);
  });

  test("does not end a rest that the server asked for", async () => {
    const other = new BroadcastChannel("freshet ");
    try {
      const { server, service } = model();
      const feed = new Feed(service, "news");
      await feed.refresh();
      server.asked.length = 0;
      server.intercept = () => unavailable({ "Retry-After": "600" });
      feed.live();
      await until(() => server.asked.length === 1);
      await turns();
      const heard = new BroadcastChannel("freshet ");
      const all = new Promise((resolve) => { heard.onmessage = resolve; });
      other.postMessage(["news", "aaaaaaaa.2"]);
      await all;
      heard.close();
      await turns();
      assert.equal(server.asked.length, 1);
      feed.stop();
    } finally {
      other.close();
    }
  });
});

suite("the next page of a list", () => {
  for (const next of ["//elsewhere.example/feeds", "/.//elsewhere.example/feeds",
    "https://elsewhere.example//elsewhere.example/feeds", "\\\\elsewhere.example\\feeds"]) {
    test(`is never asked for elsewhere: ${next}`, async () => {
      const asked = [];
      const send = async (path) => {
        asked.push(new URL(path, "https://here.example/").origin);
        return Response.json({ feeds: [{ id: "a" }], ...asked.length === 1 && { next } });
      };
      await new Service("", { fetch: send, cache: null, key: "secret" }).feeds().catch((error) => {
        assert.ok(error instanceof FreshetError);
      });
      assert.deepEqual(new Set(asked), new Set(["https://here.example"]));
    });
  }
});

suite("what pages with views of different lengths kept", () => {
  test("is not taken for what the server has", async () => {
    const change = (since, token, count, order, id) => ({ kind: "changes", since, token, count, order,
      total: 5, changes: { items: { update: [{ id, set: { title: "Other" } }] } } });
    const server = new ModelServer();
    server.publish("news", document(5));
    const first = server.document("news", undefined, undefined, 2);
    const all = server.document("news", undefined, undefined, 4);
    const insert = [2, 3].map((index) => ({ section: "a", index, item: { id: `${index}` } }));
    const documents = [first,
      { ...change("t", first.token, 4, all.order), changes: { items: { insert } } },
      // This one is of another page, whose view has two rows: in the third is what it does not say.
      change(first.token, "aaaaaaaa.2", 2, first.order, "1"),
      change("aaaaaaaa.2", "aaaaaaaa.3", 4, all.order, "0")];
    const read = async () => ({ documents, at: 0, length: { whole: 0, changes: 0 } });
    const service = new Service("", { fetch: server.fetch, cache: { read, write() {}, forget() {} } });
    const feed = new Feed(service, "news", { limit: 2 });
    assert.equal(await feed.restore(), false);
    assert.equal(feed.token, null);
  });
});
