// Feeds whose view has a limit, which grows.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Feed, Service, Snapshot } from "../../Public/freshet.js";
import { ModelServer } from "./modelServer.js";
import { generator, varied } from "./randomFeeds.js";

const items = (from, to) => Array.from({ length: to - from }, (_, index) => ({ id: `${from + index}` }));

/** Two sections of ten items each, after some more. */
const long = (...more) => ({ title: "Long", sections: [
  { id: "a", items: [...more.map((id) => ({ id })), ...items(0, 10)] },
  { id: "b", items: items(10, 20) }, { id: "c", items: [] },
] });

const ids = (feed) => feed.snapshot.sections.flatMap((section) => section.items.map(({ id }) => id));
const numbers = (count) => items(0, count).map(({ id }) => id);

/** A cache as of one page. */
class Kept {
  all = new Map();

  async read(place) {
    const rows = this.all.get(place) ?? new Map();
    const documents = [];
    let next = "";
    while (rows.has(next)) {
      documents.push(JSON.parse(rows.get(next)));
      const { token, count } = documents.at(-1);
      next = rows.has(`${token}+${count}`) ? `${token}+${count}` : token;
    }
    return { documents, at: 0, length: { whole: 0, changes: 0 } };
  }

  write(place, text, since = "") {
    if (since === "") this.all.set(place, new Map());
    this.all.get(place).set(since, text);
  }

  forget(place) { this.all.delete(place); }
}

function model(options = { limit: 4 }, cache = null) {
  const server = new ModelServer();
  const service = new Service("", { fetch: server.fetch, cache, times: { least: 1, most: 2 } });
  server.publish("news", long());
  return { server, service, feed: new Feed(service, "news", options) };
}

async function until(feed, condition) {
  while (!condition(feed)) await new Promise(setImmediate);
}

suite("loading more rows", () => {
  test("brings those that follow, of the same version, and no item twice", async () => {
    const { server, feed } = model();
    assert.equal(feed.hasMore, false);
    await feed.refresh();
    assert.equal(feed.hasMore, true);
    const results = [];
    feed.addEventListener("change", ({ detail }) => results.push(detail));
    server.publish("news", long("new"));
    assert.equal(await feed.loadMore(), true);
    assert.deepEqual(ids(feed), numbers(8));
    assert.equal(server.asked.at(-1), "/feeds/news/items?offset=4&limit=4&version=aaaaaaaa.1");
    assert.equal(feed.token, "aaaaaaaa.1");
    assert.deepEqual(results.map(({ isMore, isEmpty }) => [isMore, isEmpty]), [[true, true]]);
    // What came meanwhile comes with the new limit.
    assert.match((await feed.refresh()).words, /^1 new, .*1 gone$/);
    assert.equal(server.asked.at(-1), "/feeds/news?since=aaaaaaaa.1&limit=8");
    assert.deepEqual(ids(feed), ["new", ...numbers(7)]);
    assert.equal(await feed.loadMore(1000), false);
    assert.equal(feed.hasMore, false);
    assert.deepEqual(ids(feed), ["new", ...numbers(20)]);
    const asked = server.asked.length;
    assert.equal(await feed.loadMore(), false);
    assert.equal(server.asked.length, asked);
  });

  test("is one request for all who ask", async () => {
    const { server, feed } = model();
    await feed.refresh();
    const both = [feed.loadMore(3), feed.loadMore(9)];
    assert.deepEqual(await Promise.all(both), [true, true]);
    assert.equal(server.asked.length, 2);
    assert.deepEqual(ids(feed), numbers(7));
    await feed.loadMore();
    assert.deepEqual(ids(feed), numbers(11));
  });

  test("is a refresh where nothing is here", async () => {
    const { server, feed } = model();
    assert.equal(await feed.loadMore(), true);
    assert.deepEqual(server.asked, ["/feeds/news?limit=4"]);
    const whole = new Feed(feed.service, "news");
    assert.equal(await whole.loadMore(), false);
    assert.equal(await whole.loadMore(), false);
    assert.equal(whole.snapshot.count, 20);
  });

  test("takes all anew where the version is forgotten", async () => {
    const { server, feed } = model();
    await feed.refresh();
    for (let number = 0; number < 12; number += 1) server.publish("news", long(`n${number}`));
    assert.equal(await feed.loadMore(), true);
    assert.equal(server.asked.at(-1), "/feeds/news?limit=8");
    assert.deepEqual(ids(feed), ["n11", ...numbers(7)]);
    assert.equal(feed.token, "aaaaaaaa.13");
  });

  test("leaves a feed that is gone as it was, and asks for it anew", async () => {
    const { server, feed } = model();
    await feed.refresh();
    server.delete("news");
    await assert.rejects(feed.loadMore(), { status: 404 });
    assert.deepEqual([feed.snapshot.count, feed.token, feed.error.status], [4, null, 404]);
    server.publish("news", long());
    assert.equal(await feed.loadMore(), true);
    assert.equal(feed.missingSince, null);
    assert.deepEqual(ids(feed), numbers(4));
  });

  test("leaves all as it was when it fails, and can be asked again", async () => {
    const { server, feed } = model();
    await feed.refresh();
    for (const failure of [new TypeError("network"), new Response("{", { status: 200 }),
      Response.json({ detail: "busy" }, { status: 503 })]) {
      server.intercept = () => failure;
      await assert.rejects(feed.loadMore());
      assert.deepEqual([ids(feed), feed.query, feed.error], [numbers(4), "&limit=4", null]);
    }
    server.intercept = () => undefined;
    await feed.loadMore();
    assert.deepEqual(ids(feed), numbers(8));
  });

  const row = (id, index) => ({ in: "a", index, item: { id } });
  const page = (members) => ({ kind: "items", feed: "news", token: "aaaaaaaa.1", total: 20, offset: 4,
    items: [row("4", 4), row("5", 5)], ...members });
  for (const [name, members] of [
    ["version", { token: "aaaaaaaa.2" }], ["place", { offset: 5 }], ["form", { items: 3 }],
    ["number", { items: [row("4", 4)] }], ["index", { items: [row("4", 4), row("5", 6)] }],
    ["section", { items: [row("4", 4), { ...row("5", 5), in: "z" }] }],
    ["item", { items: [row("4", 4), row("0", 5)] }],
    ["repetition", { items: [row("4", 4), row("4", 5)] }],
  ]) {
    test(`takes all anew where the ${name} of a page is wrong`, async () => {
      const { server, feed } = model();
      await feed.refresh();
      server.intercept = (path) =>
        (path.includes("offset") ? Response.json(page(members)) : undefined);
      await feed.loadMore(2);
      assert.equal(server.asked.at(-1), "/feeds/news?limit=6");
      assert.deepEqual(ids(feed), numbers(6));
    });
  }

  test("of one section asks for rows of that", async () => {
    const { server, feed } = model({ limit: 2, sections: ["b /"] });
    const section = { id: "b /", count: 3, items: [{ id: "x" }, { id: "y" }] };
    server.intercept = (path) => Response.json(path.includes("/sections/")
      ? { kind: "items", token: "aaaaaaaa.1", total: 3, offset: 2,
        items: [{ in: "b /", index: 2, item: { id: "z" } }] }
      : { kind: "snapshot", token: "aaaaaaaa.1", total: 20, count: 2, sections: [section] });
    await feed.refresh();
    assert.equal(await feed.loadMore(), false);
    assert.equal(server.asked.at(-1),
      "/feeds/news/sections/b%20%2F?offset=2&limit=2&version=aaaaaaaa.1");
    assert.deepEqual(ids(feed), ["x", "y", "z"]);
  });
});

suite("a feed that is followed while it grows", () => {
  test("goes on with the new limit", async () => {
    const { server, feed } = model();
    feed.live();
    await until(feed, ({ state }) => state === "live");
    await feed.loadMore();
    await until(feed, () => server.asked.at(-1) === "/events?feed=news@aaaaaaaa.1&limit=8");
    server.publish("news", long("new"));
    await until(feed, ({ token }) => token === "aaaaaaaa.2");
    assert.deepEqual(ids(feed), ["new", ...numbers(7)]);
    assert.equal(server.streams.size, 1);
    feed.stop();
  });

  test("ends the stream of a feed that became so long that its view has a limit", async () => {
    const { server, feed } = model({ first: 4, most: 300 });
    server.publish("news", { title: "Short", sections: [{ id: "a", items: items(0, 2) }] });
    feed.live();
    await until(feed, ({ state }) => state === "live");
    server.publish("news", long());
    await until(feed, ({ snapshot }) => snapshot.count === 20);
    feed.forget();
    await feed.refresh();
    assert.equal(feed.snapshot.count, 4);
    await until(feed, () => server.asked.at(-1).startsWith("/events") && feed.state === "live");
    assert.match(server.asked.at(-1), /limit=4$/);
    feed.stop();
    assert.equal(server.streams.size, 0);
  });

  test("is not undone by another visit when all rows are here", async () => {
    for (const options of [{ limit: 4 }, { first: 4, most: 300 }]) {
      const { server, service, feed } = model(options, new Kept());
      await feed.refresh();
      while (await feed.loadMore());
      const again = new Feed(service, "news", options);
      await again.restore();
      assert.deepEqual(ids(again), ids(feed));
      const sized = { title: "Long", sections: [...long().sections, { id: "d", items: items(20, 21) }] };
      server.publish("news", sized);
      await again.refresh();
      assert.equal(again.snapshot.count, 20);
      assert.equal(again.snapshot.total, 21);
      assert.equal(again.hasMore, true);
    }
  });

  test("takes nothing of what was asked for before", async () => {
    const { server, service, feed } = model();
    await feed.refresh();
    server.publish("news", long("new"));
    let answer;
    server.intercept = (path) => (path.startsWith("/pull")
      ? new Promise((resolve) => { answer = () => resolve(server.document("news", "aaaaaaaa.1", null, 4)); })
        .then((news) => Response.json({ kind: "pull", feeds: { news } })) : undefined);
    const pulled = service.pull([feed]);
    await until(feed, () => answer);
    await feed.loadMore();
    answer();
    await pulled;
    assert.equal(server.asked.at(-1), "/feeds/news?since=aaaaaaaa.1&limit=8");
    assert.deepEqual(ids(feed), ["new", ...numbers(7)]);
  });

  for (const seed of [1, 2, 3, 4, 5, 6]) {
    test(`ends as the server has it (${seed})`, async () => {
      const random = generator(seed);
      const { server, feed } = model({ limit: 2 }, new Kept());
      feed.live();
      let last = long();
      for (let round = 0; round < 150; round += 1) {
        last = varied(last, random);
        if (random() < 0.05) server.delete("news", last = long(`d${round}`));
        else server.publish("news", last);
        if (random() < 0.1) server.cut();
        if (random() < 0.2) feed.loadMore(1 + Math.floor(random() * 3)).catch(() => {});
        if (random() < 0.1) feed.refresh().catch(() => {});
        if (random() < 0.3) await new Promise(setImmediate);
      }
      await feed.loadMore(1).catch(() => {});
      const truth = () => server.document("news", undefined, null, feed.view.split("=")[1]);
      await until(feed, () => feed.token === truth().token && feed.state === "live");
      const { members, sections } = Snapshot.read(truth(), true);
      assert.deepEqual({ members, sections },
        { members: feed.snapshot.members, sections: feed.snapshot.sections });
      assert.equal(feed.hasMore, truth().count < truth().total);
      feed.stop();
      const again = new Feed(feed.service, "news", { limit: 2 });
      await again.restore();
      assert.deepEqual([again.token, ids(again)], [feed.token, ids(feed)]);
    });
  }
});

suite("a feed that is taken whole up to some length", () => {
  test("is taken whole when it is short, and in parts when it is long", async () => {
    for (const [most, count] of [[10_000, 20], [300, 4]]) {
      const { server, feed } = model({ first: 4, most });
      await feed.refresh();
      assert.equal(feed.snapshot.count, count);
      assert.equal(feed.hasMore, count < 20);
      assert.deepEqual(server.asked.slice(0, 1), ["/feeds/news?limit=4"]);
      assert.equal(server.asked.length, count < 20 ? 1 : 2);
    }
  });

  test("is found again with all that was loaded", async () => {
    const { server, service, feed } = model({ first: 4, most: 300 }, new Kept());
    await feed.refresh();
    await feed.loadMore(3);
    server.publish("news", long("new"));
    await feed.refresh();
    await feed.loadMore(2);
    const again = new Feed(service, "news", { first: 4, most: 300 });
    await again.restore();
    assert.deepEqual(ids(again), ids(feed));
    assert.equal(again.token, "aaaaaaaa.2");
    assert.equal(again.hasMore, true);
    server.publish("news", long("new", "newer"));
    await again.refresh();
    assert.equal(server.asked.at(-1), "/feeds/news?since=aaaaaaaa.2&limit=9");
    assert.deepEqual(ids(again).slice(0, 3), ["new", "newer", "0"]);
    assert.equal(again.snapshot.count, 9);
  });
});
