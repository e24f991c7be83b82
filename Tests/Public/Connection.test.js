import assert from "node:assert/strict";
import { afterEach, suite, test } from "node:test";
import { Feed, Service, Snapshot } from "../../Public/freshet.js";
import { ModelServer } from "./modelServer.js";
import { generator, randomDocument, varied } from "./randomFeeds.js";

const one = { title: "One", sections: [{ id: "a", items: [{ id: "1" }] }] };
const two = { title: "Two", sections: [{ id: "a", items: [{ id: "2" }, { id: "1" }] }] };
const services = [];

// A test that failed must not leave anything that goes on.
afterEach(() => {
  for (const service of services.splice(0)) service.sleep();
});

const times = { first: 1000, least: 1, most: 2, wait: 1000 };

/** A model of a server with feeds, and a service that asks it. */
function model(feeds = { news: one }, options = {}) {
  const server = new ModelServer();
  for (const [id, document] of Object.entries(feeds)) server.publish(id, document);
  const service = new Service("", { fetch: server.fetch, cache: null, times, ...options });
  services.push(service);
  return { server, service, feed: new Feed(service, "news") };
}

/** Ends when what is said of a feed is true, at the latest when a change or state makes it so. */
function until(feed, isSo) {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo(feed)) return;
      for (const kind of ["change", "state"]) feed.removeEventListener(kind, look);
      resolve();
    };
    for (const kind of ["change", "state"]) feed.addEventListener(kind, look);
    look();
  });
}

const titled = (title) => ({ snapshot }) => snapshot?.members.title === title;

suite("following feeds", () => {
  test("takes in what the stream says", async () => {
    const { server, feed } = model();
    feed.live();
    await until(feed, ({ state }) => state === "live");
    assert.equal(feed.snapshot.count, 1);
    server.publish("news", two);
    await until(feed, titled("Two"));
    assert.equal(feed.token, "aaaaaaaa.2");
    assert.deepEqual(server.asked, ["/events?feed=news"]);
    feed.stop();
    assert.equal(feed.state, "idle");
    assert.equal(server.streams.size, 0);
  });

  test("passes over events that it does not know", async () => {
    const { server, feed } = model();
    const type = { headers: { "Content-Type": "text/event-stream" } };
    const texts = [{ kind: "digest", feed: "news", token: "aaaaaaaa.9" }, { kind: "ready", feeds: 1 },
      server.document("news"), { kind: "digest", feed: "news", token: "aaaaaaaa.9" }]
      .map((document) => `event: ${document.kind}\ndata: ${JSON.stringify(document)}\n\n`);
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(texts.join(""))),
    });
    server.intercept = () => new Response(body, type);
    feed.live();
    await until(feed, ({ state }) => state === "live");
    for (let turn = 0; turn < 20; turn++) await null;
    assert.equal(feed.token, "aaaaaaaa.1");
    assert.deepEqual([feed.state, feed.error], ["live", null]);
    assert.deepEqual(server.asked, ["/events?feed=news"]);
    feed.stop();
  });

  test("shares one stream", async () => {
    const { server, service, feed } = model({ news: one, sport: two });
    const sport = new Feed(service, "sport");
    await Promise.all([feed.refresh(), sport.refresh()]);
    feed.live();
    sport.live();
    await until(feed, ({ state }) => state === "live");
    await until(sport, ({ state }) => state === "live");
    assert.equal(server.streams.size, 1);
    assert.equal(server.asked.at(-1), "/events?feed=news@aaaaaaaa.1&feed=sport@aaaaaaaa.1");
    sport.stop();
    feed.stop();
  });

  test("goes on from its token when the stream breaks", async () => {
    const { server, feed } = model();
    feed.live();
    await until(feed, ({ state }) => state === "live");
    server.intercept = () => new TypeError("no network");
    server.cut();
    await until(feed, ({ state }) => state === "offline");
    assert.equal(feed.error.message, "The connection broke.");
    await until(feed, ({ error }) => error.message === "The server cannot be reached.");
    server.publish("news", two);
    server.intercept = () => undefined;
    await until(feed, titled("Two"));
    assert.equal(server.asked.at(-1), "/events?feed=news@aaaaaaaa.1");
    await until(feed, ({ state, error }) => state === "live" && error === null);
    feed.stop();
  });

  test("hears of a feed that goes and comes again", async () => {
    const { server, feed } = model();
    feed.live();
    await until(feed, titled("One"));
    server.delete("news");
    await until(feed, ({ error }) => error?.status === 404);
    assert.deepEqual([feed.snapshot.members.title, feed.token, feed.state], ["One", null, "live"]);
    const results = [];
    feed.addEventListener("change", ({ detail }) => results.push(detail.words));
    server.publish("news", two);
    await until(feed, titled("Two"));
    await until(feed, ({ error, missingSince }) => error === null && missingSince === null);
    assert.deepEqual(results, ["1 new"]);
    feed.stop();
  });

  test("waits where no stream comes through, and polls where nothing waits", async () => {
    const { server, feed } = model();
    server.intercept = (path) =>
      path.startsWith("/events") ? new Response("", { status: 501 }) : undefined;
    feed.live();
    await until(feed, ({ state }) => state === "live");
    server.publish("news", two);
    await until(feed, titled("Two"));
    assert.match(server.asked.at(-1), /^\/pull\?feed=news@aaaaaaaa.\d&wait=1$/);
    server.intercept = (path) =>
      /^.events|wait/.test(path) ? new Response("", { status: 400 }) : undefined;
    feed.stop();
    feed.live();
    server.publish("news", one);
    await until(feed, titled("One"));
    assert.match(server.asked.at(-1), /^\/pull\?feed=news@aaaaaaaa.\d$/);
    feed.stop();
  });

  test("waits where a stream says nothing", async () => {
    const { server, feed } = model({ news: one }, { times: { ...times, first: 1 } });
    const type = { headers: { "Content-Type": "text/event-stream" } };
    const never = (signal) => new ReadableStream({
      start: (body) => signal.addEventListener("abort", () => body.error(signal.reason)),
    });
    server.intercept = (path, { signal }) =>
      path.startsWith("/events") ? new Response(never(signal), type) : undefined;
    feed.live();
    await until(feed, titled("One"));
    assert.match(server.asked.at(-1), /^\/pull\?feed=news&wait=1$/);
    feed.stop();
  });

  test("takes silence for an end", async () => {
    const { server, feed } = model({ news: one }, { times: { ...times, silence: 1 } });
    feed.live();
    await until(feed, ({ error }) => error?.message === "The server went silent.");
    server.publish("news", two);
    await until(feed, titled("Two"));
    feed.stop();
  });

  test("waits as long as it is told", async (context) => {
    const { server, feed } = model();
    context.mock.timers.enable({ apis: ["setTimeout"] });
    server.intercept = () =>
      new Response("", { status: 503, headers: { "Retry-After": "7" } });
    feed.live();
    await until(feed, ({ state }) => state === "failed");
    assert.equal(feed.error.retryAfter, 7);
    server.intercept = () => undefined;
    for (let turn = 0; turn < 20; turn++) await null;
    context.mock.timers.tick(6999);
    for (let turn = 0; turn < 20; turn++) await null;
    assert.equal(server.asked.length, 1);
    context.mock.timers.tick(1);
    await until(feed, titled("One"));
    feed.stop();
  });

  test("ends by its signal", async () => {
    const { server, feed } = model();
    const stop = new AbortController();
    feed.live({ signal: stop.signal });
    await until(feed, ({ state }) => state === "live");
    stop.abort();
    assert.equal(feed.state, "idle");
    assert.equal(server.streams.size, 0);
  });

  test("is up to date again after sleep", async () => {
    const { server, service, feed } = model();
    feed.live();
    await until(feed, titled("One"));
    await until(feed, ({ state }) => state === "live");
    service.sleep();
    assert.equal(feed.state, "idle");
    assert.equal(server.streams.size, 0);
    server.publish("news", two);
    service.wake();
    await until(feed, titled("Two"));
    feed.stop();
  });
});

suite("a stream that is refused for now", () => {
  for (const status of [429, 503]) {
    test(`is no failure of a feed that is here: ${status}`, async () => {
      const { server, feed } = model();
      await feed.refresh();
      server.intercept = (path) =>
        path.startsWith("/events") ? new Response("", { status }) : undefined;
      const states = [];
      feed.addEventListener("state", () => states.push(feed.state));
      feed.live();
      while (!server.asked.at(-1).includes("wait=")) await new Promise(setImmediate);
      server.publish("news", two);
      await until(feed, ({ state }) => state === "live");
      assert.equal(feed.snapshot.count, 2);
      assert.deepEqual(states, ["live"]);
      feed.stop();
    });
  }

  test("is one when requests are refused, too", async () => {
    const { server, feed } = model();
    await feed.refresh();
    server.intercept = () => new Response("", { status: 503 });
    feed.live();
    await until(feed, ({ state }) => state === "failed");
    assert.deepEqual(server.asked.slice(1, 3),
      ["/events?feed=news@aaaaaaaa.1", "/pull?feed=news@aaaaaaaa.1&wait=1"]);
    server.intercept = () => undefined;
    await until(feed, ({ state }) => state === "live");
    feed.stop();
  });
});

suite("a feed that was read with a key by a stream", () => {
  test("goes as soon as the server has it not", async () => {
    const { server, feed } = model({ news: one }, { key: "k" });
    feed.live();
    await until(feed, titled("One"));
    server.delete("news");
    await until(feed, ({ snapshot }) => snapshot === null);
    assert.deepEqual([feed.error.status, feed.missingSince], [404, null]);
    feed.stop();
  });
});

suite("pulling several feeds", () => {
  test("is one request", async () => {
    const { server, service, feed } = model({ news: one, sport: two });
    const feeds = [feed, new Feed(service, "sport"), new Feed(service, "none")];
    await service.pull(feeds);
    assert.deepEqual(feeds.map(({ snapshot }) => snapshot?.count), [1, 2, undefined]);
    assert.equal(feeds[2].error.status, 404);
    server.publish("news", two);
    await service.pull(feeds);
    assert.equal(feed.snapshot.count, 2);
    assert.deepEqual(server.asked, ["/pull?feed=news&feed=sport&feed=none",
      "/pull?feed=news@aaaaaaaa.1&feed=sport@aaaaaaaa.1&feed=none"]);
  });
});

suite("names that are too long for a request line", () => {
  /** A hundred feeds whose names take 10,000 bytes. */
  function many(options) {
    const ids = Array.from({ length: 100 }, (_, number) => String(number).padStart(99, "long-name-"));
    const all = Object.fromEntries(ids.map((id) => [id, one]));
    const { server, service } = model(all, options);
    return { server, service, feeds: ids.map((id) => new Feed(service, id)) };
  }

  test("go in a body", async () => {
    const { server, service, feeds } = many();
    await service.pull(feeds);
    await service.pull(feeds);
    assert.deepEqual(server.methods, ["QUERY", "QUERY"]);
    assert.deepEqual(server.asked, ["/pull", "/pull"]);
    assert.ok(feeds.every(({ snapshot }) => snapshot.count === 1));
    assert.ok(server.sent[1]["If-None-Match"]);
    assert.equal(server.sent[1]["Content-Type"], "application/json");
  });

  test("go in the body of a stream's request", async () => {
    const { server, feeds } = many();
    for (const feed of feeds) feed.live();
    await until(feeds[99], ({ state }) => state === "live");
    assert.deepEqual([server.methods, server.asked], [["QUERY"], ["/events"]]);
    server.publish(feeds[7].id, two);
    await until(feeds[7], titled("Two"));
    for (const feed of feeds) feed.stop();
  });

  test("bring the view in the query", async () => {
    const { server, service, feeds } = many();
    const views = feeds.map(({ id }) => new Feed(service, id, { limit: 5 }));
    await service.pull(views, { wait: 1 });
    assert.deepEqual(server.asked, ["/pull?limit=5&wait=1"]);
  });

  const html = { headers: { "Content-Type": "text/html" } };
  const problem = JSON.stringify({ type: "/problems/malformed", title: "Malformed" });
  for (const [name, answer] of Object.entries({
    "400 of a proxy": () => new Response("<p>Bad Request", { status: 400, ...html }),
    "403 of a proxy": () => new Response("<p>Forbidden", { status: 403, ...html }),
    "405": () => new Response("", { status: 405 }),
    "501 of an older server": () => new Response(problem, { status: 501 }),
    "an answer that the browser hides": () => new TypeError("Failed to fetch"),
  })) {
    test(`go in the target from then on after ${name}`, async () => {
      const { server, service, feeds } = many();
      server.intercept = (_, { method }) => (method === "QUERY" ? answer() : undefined);
      await service.pull(feeds);
      await service.pull(feeds);
      assert.deepEqual(server.methods, ["QUERY", "GET", "GET"]);
      assert.ok(feeds.every(({ snapshot }) => snapshot.count === 1));
    });
  }

  test("do not after a problem that the server has with them", async () => {
    const { server, service, feeds } = many();
    for (const status of [400, 403, 503]) {
      server.intercept = () => new Response(problem, { status });
      await assert.rejects(service.pull(feeds), { status });
    }
    assert.deepEqual(server.methods, ["QUERY", "QUERY", "QUERY"]);
  });

  test("are tried again in a body where they reached no server at all", async () => {
    const { server, service, feeds } = many();
    server.intercept = () => new TypeError("Failed to fetch");
    await assert.rejects(service.pull(feeds));
    server.intercept = () => undefined;
    await service.pull(feeds);
    assert.deepEqual(server.methods, ["QUERY", "GET", "QUERY"]);
  });
});

suite("a pull that nothing came of", () => {
  async function pulled(...between) {
    const { server, service, feed } = model({ news: one, sport: two });
    const feeds = [feed, new Feed(service, "sport"), new Feed(service, "none")];
    await service.pull(feeds);
    await service.pull(feeds);
    for (const change of between) await change({ server, service, feed, feeds });
    server.sent.length = 0;
    await service.pull(feeds);
    return { feed, feeds, tag: server.sent[0]["If-None-Match"], server };
  }

  test("is asked for by the tag of the last one", async () => {
    const { feed, feeds, tag, server } = await pulled(({ feed }) => { feed.refreshed = null; });
    assert.equal(tag, '"news.aaaaaaaa.1,sport.aaaaaaaa.1,none."');
    assert.notEqual(feed.refreshed, null);
    assert.deepEqual(feeds.map(({ state, error }) => [state, error?.status]),
      [["idle", undefined], ["idle", undefined], ["idle", 404]]);
    server.publish("news", two);
    await feed.refresh();
    assert.equal(feed.snapshot.count, 2);
  });

  for (const [name, change] of Object.entries({
    "a feed more": ({ feeds, service }) => feeds.push(new Feed(service, "more")),
    "a feed less": ({ feeds }) => feeds.pop(),
    "a feed that was refreshed": ({ server, feed }) => {
      server.publish("news", two);
      return feed.refresh();
    },
    "a feed that was lost": ({ feed }) => { feed.token = null; },
  })) {
    test(`is not with ${name}`, async () => {
      const { tag, feeds } = await pulled(change);
      assert.equal(tag, undefined);
      assert.deepEqual(feeds.slice(0, 2).map(({ token }) => token !== null), [true, true]);
    });
  }

  test("is not when an answer could not be taken in as it was", async () => {
    const { server, service, feed } = model();
    await service.pull([feed]);
    const truth = server.document.bind(server);
    server.document = (id, since, as) => {
      const document = truth(id, since, as);
      return document.kind === "changes" ? { ...document, order: "00000000" } : document;
    };
    server.publish("news", two);
    server.asked.length = server.sent.length = 0;
    await service.pull([feed]);
    assert.deepEqual(server.asked, ["/pull?feed=news@aaaaaaaa.1", "/feeds/news"]);
    assert.equal(feed.snapshot.count, 2);
  });

  test("may be held", async () => {
    const { server, service, feed } = model();
    await service.pull([feed]);
    const held = service.pull([feed], { wait: 30 });
    while (server.asked.length < 2) await null;
    assert.ok(server.sent[1]["If-None-Match"]);
    server.publish("news", two);
    await held;
    assert.equal(feed.snapshot.count, 2);
  });
});

suite("changes that are longer than the whole feed", () => {
  test("are asked for by who shows each", async () => {
    const { server, service, feed } = model();
    server.isSmall = true;
    const shown = new Feed(service, "news", { as: "changes" });
    for (const one of [feed, shown]) await one.refresh();
    server.publish("news", two);
    assert.equal((await feed.refresh()).changes, null);
    assert.notEqual((await shown.refresh()).changes, null);
    assert.deepEqual(server.asked, ["/feeds/news", "/feeds/news",
      "/feeds/news?since=aaaaaaaa.1", "/feeds/news?since=aaaaaaaa.1&as=changes"]);
    server.publish("news", one);
    await service.pull([shown, feed]);
    assert.deepEqual(server.asked.slice(4),
      ["/pull?feed=news@aaaaaaaa.2&as=changes", "/pull?feed=news@aaaaaaaa.2"]);
  });

  test("come by streams", async () => {
    const { server, service } = model();
    server.isSmall = true;
    const feed = new Feed(service, "news", { as: "changes" });
    feed.live();
    await until(feed, ({ state }) => state === "live");
    const results = [];
    feed.addEventListener("change", ({ detail }) => results.push(detail));
    server.publish("news", two);
    await until(feed, titled("Two"));
    assert.notEqual(results[0].changes, null);
    assert.deepEqual(server.asked, ["/events?feed=news&as=changes"]);
    feed.stop();
  });
});

suite("changes of a stream that do not fit", () => {
  test("have that feed streamed anew, without its token", async () => {
    const { server, service, feed } = model({ news: one, sport: two });
    const sport = new Feed(service, "sport");
    await service.pull([feed, sport]);
    const truth = server.document.bind(server);
    server.document = (id, since, as) => {
      const document = truth(id, since, as);
      return document.kind === "changes" ? { ...document, order: "00000000" } : document;
    };
    for (const one of [feed, sport]) one.live();
    for (const one of [feed, sport]) await until(one, ({ state }) => state === "live");
    server.asked.length = 0;
    const errors = [];
    feed.addEventListener("state", () => errors.push(feed.error));
    server.publish("news", two);
    await until(feed, titled("Two"));
    assert.deepEqual(server.asked, ["/events?feed=news&feed=sport@aaaaaaaa.1"]);
    assert.equal(server.streams.size, 1);
    assert.ok(errors.every((error) => error === null));
    for (const one of [feed, sport]) one.stop();
  });

  test("are nothing where a refresh brought the same", async () => {
    const { server, feed } = model();
    feed.live();
    await until(feed, ({ state }) => state === "live");
    const [stream] = server.streams;
    const tell = stream.tell;
    stream.tell = () => {};
    server.publish("news", two);
    await feed.refresh();
    const changes = [];
    feed.addEventListener("change", () => changes.push(feed.token));
    server.asked.length = 0;
    tell("news");
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    assert.deepEqual([changes, server.asked], [[], []]);
    feed.stop();
  });
});

suite("a name that no feed can have", () => {
  test("asks for nothing else", async () => {
    const { server, service } = model({ news: one });
    const feed = new Feed(service, "a&feed=news#/../é");
    await service.pull([feed]);
    assert.equal(server.asked[0], "/pull?feed=a%26feed%3Dnews%23%2F..%2F%C3%A9");
    await assert.rejects(feed.refresh(), { status: 404 });
    assert.equal(server.asked[1], "/feeds/a%26feed%3Dnews%23%2F..%2F%C3%A9");
  });
});

suite("whatever happens", () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`a feed ends as the server has it (${seed})`, async () => {
      const random = generator(seed);
      const { server, feed } = model();
      /** Wrong checks now and then, as if a proxy or a bug had mixed something up. */
      const truth = server.document.bind(server);
      server.document = (...asked) => {
        const document = truth(...asked);
        const isWrong = document.kind === "changes" && random() < 0.1;
        return isWrong ? { ...document, order: "00000000" } : document;
      };
      feed.live();
      let last = one;
      for (let round = 0; round < 300; round++) {
        const dice = random();
        last = random() < 0.9 ? varied(last, random) : randomDocument(random);
        if (dice < 0.05) server.delete("news", last);
        else server.publish("news", last);
        if (dice > 0.9) server.cut();
        if (dice > 0.8 && dice < 0.9) feed.refresh().catch(() => {});
        if (random() < 0.3) await new Promise(setImmediate);
      }
      server.document = truth;
      const { token } = truth("news");
      await until(feed, (feed) => feed.token === token && feed.state === "live");
      const { members, sections } = Snapshot.read(truth("news"));
      assert.deepEqual({ members, sections },
        { members: feed.snapshot.members, sections: feed.snapshot.sections });
      feed.stop();
    });
  }
});
