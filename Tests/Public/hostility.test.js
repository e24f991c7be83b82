import assert from "node:assert/strict";
import { afterEach, suite, test } from "node:test";
import { events, Feed, FreshetError, Service } from "../../Public/freshet.js";
import { ModelServer } from "./modelServer.js";

const one = { title: "One", sections: [{ id: "a", items: [{ id: "1" }] }] };
const two = { title: "Two", sections: [{ id: "a", items: [{ id: "2" }, { id: "1" }] }] };
const snapshot = { kind: "snapshot", feed: "news", token: "aaaaaaaa.3", ...one };
const services = [];

// A test that failed must not leave anything that goes on.
afterEach(() => {
  for (const service of services.splice(0)) service.sleep();
});

function model(options = {}) {
  const server = new ModelServer();
  server.publish("news", one);
  const times = { first: 1000, least: 1, most: 2, wait: 60_000 };
  const service = new Service("", { fetch: server.fetch, cache: null, times, ...options });
  services.push(service);
  return { server, service, feed: new Feed(service, "news") };
}

/** Ends when something is so; asked again at every turn of the program. */
async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets what is under way come to where it waits for a timer. */
async function turns(count = 20) {
  while (count-- > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** A body that begins and then says nothing more. */
const stalled = () => new ReadableStream({
  start(body) { body.enqueue(new TextEncoder().encode("{")); },
});

suite("an answer of no use", () => {
  const changes = { kind: "changes", since: "aaaaaaaa.1", token: "aaaaaaaa.2", count: 1 };
  for (const [name, answer] of Object.entries({
    "a page": () => new Response("<p>Sign in", { headers: { "Content-Type": "text/html" } }),
    "half a document": () => new Response(JSON.stringify(snapshot).slice(0, 40)),
    "a list": () => Response.json([]),
    "a snapshot without sections": () => Response.json({ ...snapshot, sections: undefined }),
    "a section without items": () => Response.json({ ...snapshot, sections: [{ id: "a" }] }),
    "a section that is none": () => Response.json({ ...snapshot, sections: [null] }),
    "a section without an id": () => Response.json({ ...snapshot, sections: [{ items: [] }] }),
    "an item that is none":
      () => Response.json({ ...snapshot, sections: [{ id: "a", items: [null] }] }),
    "an item without an id":
      () => Response.json({ ...snapshot, sections: [{ id: "a", items: [{ id: 3 }] }] }),
    "no changes": () => Response.json({ ...changes, changes: null }),
    "changes of another form": () => Response.json({ ...changes, changes: { items: 5 } }),
    "changes of lists of another form":
      () => Response.json({ ...changes, changes: { items: { insert: 5 } } }),
    "changes that never fit": () => Response.json({ ...changes, count: 9, changes: {} }),
    "unchanged, with another token": () => Response.json({ kind: "unchanged", token: "b.1" }),
    "a body that stalls": () => new Response(stalled()),
    "a problem that stalls": () => new Response(stalled(), { status: 503 }),
  })) {
    test(`${name} is said, and changes nothing`, async () => {
      const { server, feed } = model({ times: { answer: 50 } });
      await feed.refresh();
      const before = feed.snapshot;
      server.intercept = answer;
      const asked = server.asked.length;
      await assert.rejects(feed.refresh(), FreshetError);
      assert.ok(server.asked.length - asked <= 3);
      // Something did answer, but for the body that stalls.
      assert.equal(feed.state, feed.error.status === undefined ? "offline" : "failed");
      assert.equal(feed.error.status === undefined, name === "a body that stalls");
      assert.equal(feed.snapshot, before);
      server.intercept = () => undefined;
      await feed.refresh();
      assert.equal(feed.state, "idle");
    });
  }

  for (const [name, answer] of Object.entries({
    "nothing": () => new Response(null, { status: 304 }), "another": () => Response.json({}),
    "a feed of another form": () => Response.json({ feeds: { news: 5 } }),
  })) {
    test(`to a pull or a list: ${name}`, async () => {
      const { server, service, feed } = model();
      server.intercept = answer;
      await assert.rejects(service.pull([feed]), FreshetError);
      await assert.rejects(service.feeds(), FreshetError);
    });
  }

  for (const feeds of [[null], [{}], [{ id: 3 }], "ab"]) {
    test(`is a list of what are no feeds: ${JSON.stringify(feeds)}`, async () => {
      const { server, service } = model();
      server.intercept = () => Response.json({ feeds });
      await assert.rejects(service.feeds(), FreshetError);
    });
  }

  test("has a status, where there was one", async () => {
    const { server, feed } = model();
    server.intercept = () => new Response("<p>Hello");
    await assert.rejects(feed.refresh(), { status: 200 });
    server.intercept = () => Response.json({ ...snapshot, sections: [null] });
    await assert.rejects(feed.refresh(), { status: 200 });
    server.intercept = () => new TypeError("no network");
    await assert.rejects(feed.refresh(), { status: undefined });
  });

  for (const key of ["ключ", "a b", "k\n", "é"]) {
    test(`is none to a key that cannot be one: ${JSON.stringify(key)}`, async () => {
      const { server, feed } = model({ key });
      await assert.rejects(feed.refresh(), (error) => error.status === 401
        && /letters, digits and signs/.test(error.message));
      assert.deepEqual(server.asked, []);
    });
  }

  test("is a page of the list that leads to itself", async () => {
    const { server, service } = model();
    server.intercept = () => Response.json({ feeds: [{ id: "a" }], next: "?after=a" });
    await assert.rejects(service.feeds(), FreshetError);
    assert.deepEqual(server.asked, ["/feeds", "/feeds?after=a"]);
  });
});

suite("what was kept and cannot be read", () => {
  for (const [name, read] of Object.entries({
    "fails": async () => { throw new Error("corrupt"); },
    "has no sections": async () => ({ documents: [{ kind: "snapshot" }] }),
    "has changes of another form": async () => ({ documents: [snapshot, { changes: null }] }),
  })) {
    test(`and ${name} is as good as nothing`, async () => {
      const { feed } = model({ cache: { read, write() {}, forget() {} } });
      assert.equal(await feed.restore(), false);
      await feed.refresh();
      assert.equal(feed.snapshot.members.title, "One");
    });
  }
});

suite("requests", () => {
  const seldom = {
    "in seconds": "99999999999", "as a date": "Fri, 31 Dec 2999 23:59:59 GMT",
  };
  for (const [name, value] of Object.entries(seldom)) {
    test(`rest an hour where a server says for ever, ${name}`, async (context) => {
      const { server, feed } = model();
      server.intercept = () => new Response("", { status: 503, headers: { "Retry-After": value } });
      context.mock.timers.enable({ apis: ["setTimeout"] });
      feed.live();
      await until(() => feed.state === "failed");
      await turns();
      context.mock.timers.tick(3_599_999);
      await turns();
      assert.equal(server.asked.length, 1);
      context.mock.timers.tick(1);
      await until(() => server.asked.length === 2);
      feed.stop();
    });
  }

  test("are made now and then where nothing is held", async () => {
    const { server, feed } = model();
    const none = () => new Response("", { status: 501 });
    const feeds = (path) => ({
      news: server.document("news", path.includes("@") ? "aaaaaaaa.1" : undefined),
    });
    server.intercept = (path) =>
      path.startsWith("/events") ? none() : Response.json({ feeds: feeds(path) });
    feed.live();
    await until(() => /^.pull[^&]*$/.test(server.asked.at(-1)));
    assert.ok(server.asked.length <= 4, server.asked.join(" "));
    feed.stop();
  });

  test("are few for feeds that are followed one after the other", async () => {
    let reads = 0;
    const cache = {
      // Some are there before others that were asked for earlier.
      read: () => new Promise((resolve) => setTimeout(resolve, (reads += 11) % 30)),
      write() {},
    };
    const { server, service } = model({ cache });
    const feeds = Array.from({ length: 30 }, (_, index) => new Feed(service, `feed${index}`));
    for (const { id } of feeds) server.publish(id, one);
    for (const feed of feeds) feed.live();
    await until(() => feeds.every(({ state }) => state === "live"));
    assert.ok(server.asked.length < 15, String(server.asked.length));
    assert.equal(server.streams.size, 1);
    for (const feed of feeds) feed.stop();
    assert.equal(server.streams.size, 0);
  });

  test("keep what is here when there are no such pages", async () => {
    const { server, feed } = model();
    await feed.refresh();
    server.intercept = () => new Response("", { status: 404 });
    feed.live();
    await until(() => feed.state === "failed");
    assert.equal(feed.snapshot.members.title, "One");
    feed.stop();
  });

  test("name a feed once, and views apart", async () => {
    const { server, service, feed } = model();
    const [again, part] = [new Feed(service, "news"), new Feed(service, "news", { limit: 5 })];
    await service.pull([feed, again, part, feed]);
    assert.deepEqual(server.asked, ["/pull?feed=news", "/pull?feed=news&limit=5"]);
    assert.deepEqual([feed, again, part].map(({ snapshot: { count } }) => count), [1, 1, 1]);
    feed.live();
    again.live();
    await until(() => feed.state === "live" && again.state === "live");
    server.publish("news", two);
    await until(() => feed.snapshot.count === 2 && again.snapshot.count === 2);
    assert.match(server.asked.at(-1), /^.events.feed=news@aaaaaaaa.1$/);
    feed.stop();
    again.stop();
  });
});

suite("following", () => {
  test("ends by its own signal alone", async () => {
    const { server, feed } = model();
    const old = new AbortController();
    feed.live({ signal: old.signal });
    await until(() => feed.state === "live");
    feed.stop();
    feed.live();
    await until(() => feed.state === "live");
    old.abort();
    assert.equal(feed.state, "live");
    assert.equal(server.streams.size, 1);
    feed.stop();
  });

  test("is so again after a refresh that failed", async () => {
    const { server, feed } = model();
    feed.live();
    await until(() => feed.state === "live");
    server.intercept = (path) =>
      path.startsWith("/feeds") ? new Response("", { status: 503 }) : undefined;
    await assert.rejects(feed.refresh(), FreshetError);
    await until(() => feed.state === "live" && feed.error === null);
    feed.stop();
  });

  test("begins and ends at any moment", async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const { server, feed } = model();
      feed.live();
      for (let turn = 0; turn < turns; turn += 1) await null;
      feed.stop();
      await until(() => server.streams.size === 0);
      assert.equal(feed.state, "idle");
      feed.live();
      feed.live();
      await until(() => feed.state === "live");
      assert.equal(server.streams.size, 1);
      feed.stop();
    }
  });
});

suite("events", () => {
  async function read(bytes, cuts) {
    const ends = [...cuts, bytes.length];
    const body = new ReadableStream({
      start(to) {
        ends.forEach((end, index) => to.enqueue(bytes.slice(ends[index - 1] ?? 0, end)));
        to.close();
      },
    });
    const all = [];
    for await (const data of events(body)) all.push(data);
    return all;
  }

  for (const [name, end] of Object.entries({ LF: "\n", CR: "\r", CRLF: "\r\n" })) {
    test(`end in ${name}, wherever they are parted`, async () => {
      const lines = ["\ufeff: c", "event: x", "data: é1", "data:2", "data", "id: 1", "", "",
        "data: 3", "", "data: never ended"];
      const bytes = new TextEncoder().encode(lines.join(end));
      const cuts = [[], [...bytes.keys()]];
      for (let cut = 0; cut < bytes.length; cut += 1) cuts.push([cut], [cut, cut + 1]);
      for (const some of cuts) assert.deepEqual(await read(bytes, some), ["é1\n2\n", "3"]);
    });
  }
});
