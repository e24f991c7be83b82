import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Feed, FreshetError, Service, Snapshot } from "../../Public/freshet.js";

const first = {
  kind: "snapshot", feed: "news", token: "q7x2m5kd.1", title: "News", count: 2,
  sections: [{ id: "main", count: 2, items: [{ id: "1" }, { id: "2" }] }],
};

const changes = { items: { insert: [{ section: "main", index: 0, item: { id: "3" } }] } };

/** Changes as a server would send them, with members put in place of its own. */
function changed(members = {}) {
  const { count, order } = Snapshot.read(first).applying(changes);
  return {
    kind: "changes", feed: "news", since: "q7x2m5kd.1", token: "q7x2m5kd.2", count, order, changes,
    ...members,
  };
}

/** A service that answers with documents in turn, and keeps what it was asked. */
function scripted(...answers) {
  const asked = [];
  const send = async (path, options) => {
    asked.push(path);
    assert.equal(options.cache, "no-store");
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { service: new Service("", { fetch: send, cache: null }), asked };
}

const ids = (feed) => feed.snapshot.sections.flatMap(({ items }) => items.map(({ id }) => id));

const refused = (status) => Response.json({ detail: "not so" }, { status });

suite("a feed that is refused", () => {
  for (const [status, key, stays] of [
    [401, "old", true], [401, undefined, false],
    [403, "old", false], [404, "old", false], [410, "old", false], [503, "old", true],
  ]) {
    test(`${stays ? "stays" : "goes"} after ${status} ${key ? "with" : "without"} a key`, async () => {
      const { service } = scripted(first, refused(status));
      service.key = key;
      const feed = new Feed(service, "news");
      await feed.refresh();
      await assert.rejects(feed.refresh(), { status });
      assert.equal(feed.error.status, status);
      assert.equal(feed.token, stays ? first.token : null);
      assert.equal(feed.snapshot !== null, stays);
    });
  }

  test("forgets its copy when it is told to, and asks for the whole", async () => {
    const { service, asked } = scripted(first, first);
    const feed = new Feed(service, "news");
    await feed.refresh();
    const shown = ids(feed);
    assert.deepEqual([...feed.forget().removed], shown);
    assert.equal(feed.snapshot, null);
    assert.equal(feed.token, null);
    assert.equal((await feed.refresh()).isFirst, true);
    assert.equal(asked.at(-1), asked[0]);
  });

  test("goes on from its token with another key", async () => {
    const { service, asked } = scripted(first, refused(401), changed());
    service.key = "old";
    const feed = new Feed(service, "news");
    await feed.refresh();
    await assert.rejects(feed.refresh(), { status: 401 });
    service.key = "new";
    assert.equal((await feed.refresh()).words, "1 new");
    assert.equal(asked.at(-1), "/feeds/news?since=q7x2m5kd.1");
    assert.equal(feed.error, null);
  });
});

suite("a feed that the server has no more", () => {
  const read = (vary) => Response.json(first, { headers: vary === undefined ? {} : { Vary: vary } });
  const day = 86_400_000;

  for (const [key, vary, stays] of [
    [undefined, "Accept-Encoding", true], [undefined, "Authorization", true], ["k", "Accept-Encoding", true],
    ["k", "Accept-Encoding, authorization", false], ["k", undefined, false],
    ["k", "*", false],
  ]) {
    test(`${stays ? "stays" : "goes"} with ${key ? "a" : "no"} key and Vary: ${vary}`, async () => {
      const { service, asked } = scripted(read(vary), refused(404), refused(404), first);
      service.key = key;
      const feed = new Feed(service, "news");
      await feed.refresh();
      for (let time = 0; time < 2; time += 1) {
        await assert.rejects(feed.refresh(), { status: 404 });
        assert.deepEqual([feed.error.status, feed.token, feed.snapshot !== null], [404, null, stays]);
        assert.equal(feed.missingSince !== null, stays);
        if (stays) assert.match(feed.error.message, /has not had this feed since .*\d/);
      }
      assert.equal((await feed.refresh()).isFirst, !stays);
      assert.deepEqual(asked.slice(1, 4), ["/feeds/news?since=q7x2m5kd.1", "/feeds/news", "/feeds/news"]);
      assert.equal(feed.missingSince, null);
    });
  }

  test("is judged by the last answer, also one without news", async () => {
    const unchanged = { kind: "unchanged", token: first.token };
    const { service } = scripted(read("Accept-Encoding"),
      Response.json(unchanged, { headers: { Vary: "Authorization" } }), refused(404));
    service.key = "k";
    const feed = new Feed(service, "news");
    for (let time = 0; time < 2; time += 1) await feed.refresh();
    await assert.rejects(feed.refresh(), { status: 404 });
    assert.equal(feed.snapshot, null);
  });

  test("goes after a day, counted from the first time", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 1e12 });
    const { service } = scripted(first, refused(404), refused(404), refused(404));
    const feed = new Feed(service, "news");
    await feed.refresh();
    for (const [time, stays] of [[0, true], [day - 1, true], [1, false]]) {
      context.mock.timers.tick(time);
      await assert.rejects(feed.refresh(), { status: 404 });
      assert.equal(feed.snapshot !== null, stays);
      assert.equal(feed.missingSince?.getTime(), stays ? 1e12 : undefined);
    }
  });

  test("goes at once with another key", async () => {
    const { service } = scripted(read("Accept-Encoding"), refused(404));
    service.key = "one";
    const feed = new Feed(service, "news");
    await feed.refresh();
    await assert.rejects(feed.refresh(), { status: 404 });
    service.key = "one";
    assert.notEqual(feed.snapshot, null);
    service.key = "two";
    assert.deepEqual([feed.snapshot, feed.missingSince], [null, null]);
  });

  /** What a browser keeps, as far as a feed can tell. */
  class MapCache {
    all = new Map();
    read = async (feed) => structuredClone(this.all.get(feed) ?? {});
    write = async (feed, text) => this.#add(feed,
      { documents: [JSON.parse(text)], at: Date.now(), length: { whole: text.length, changes: 0 } });
    note = async (feed, note) => this.#add(feed, { note: JSON.parse(JSON.stringify(note)) });
    forget = async (feed) => this.all.delete(feed);
    #add(feed, more) { this.all.set(feed, { ...this.all.get(feed), ...more }); }
  }

  for (const [name, vary, age, stays] of [
    ["open", "Accept-Encoding", 0, true], ["open and missing for a day", "Accept-Encoding", day, false],
    ["for a key", "Authorization", 0, false],
  ]) {
    test(`${stays ? "stays" : "does not stay"} for the next visit when it is ${name}`, async (context) => {
      context.mock.timers.enable({ apis: ["Date"], now: 1e12 });
      const cache = new MapCache();
      const visit = (...answers) => {
        const { service, asked } = scripted(...answers);
        Object.assign(service, { cache, key: "k" });
        return { feed: new Feed(service, "news"), asked };
      };
      const { feed } = visit(read(vary), refused(404));
      await feed.refresh();
      await assert.rejects(feed.refresh(), { status: 404 });
      context.mock.timers.tick(age);
      const { feed: again, asked } = visit(refused(404), first);
      assert.equal(await again.restore(), stays);
      assert.equal(again.missingSince?.getTime(), stays ? 1e12 : undefined);
      assert.equal(cache.all.size, stays ? 1 : 0);
      context.mock.timers.tick(1);
      await assert.rejects(again.refresh(), { status: 404 });
      assert.deepEqual(asked, ["/feeds/news"]);
      assert.equal(again.missingSince?.getTime(), stays ? 1e12 : undefined);
      await again.refresh();
      assert.equal(cache.all.values().next().value.note.missing, undefined);
    });
  }

  test("says on the next visit when the server last said that it has no news, to the minute", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 60_000 * 1e7 - 1 });
    const { service } = scripted(read("Accept-Encoding"), new Response(null, { status: 304 }),
      new Response(null, { status: 304 }), refused(404));
    const cache = service.cache = new MapCache();
    const note = context.mock.method(cache, "note");
    const feed = new Feed(service, "news");
    await feed.refresh();
    context.mock.timers.tick(1);
    await feed.refresh();
    context.mock.timers.tick(59_999);
    await feed.refresh();
    // No more is written than can be read of it.
    assert.equal(note.mock.callCount(), 2);
    await assert.rejects(feed.refresh(), { status: 404 });
    const { service: next } = scripted();
    next.cache = cache;
    const again = new Feed(next, "news");
    assert.equal(await again.restore(), true);
    assert.equal(again.refreshed.getTime(), 60_000 * 1e7);
  });

  test("goes when nobody knows who might read what was kept of it", async () => {
    const { service } = scripted(refused(404));
    service.cache = new MapCache();
    service.cache.write(" news", JSON.stringify(first));
    const feed = new Feed(service, "news");
    assert.equal(await feed.restore(), true);
    await assert.rejects(feed.refresh(), { status: 404 });
    assert.equal(feed.snapshot, null);
  });
});

suite("refreshing a feed", () => {
  test("asks for the snapshot once and then with the token", async () => {
    const { service, asked } = scripted(
      first, changed(), { kind: "unchanged", token: "q7x2m5kd.2" });
    const feed = new Feed(service, "news");
    assert.equal((await feed.refresh()).isFirst, true);
    assert.equal((await feed.refresh()).words, "1 new");
    assert.equal((await feed.refresh()).words, "Nothing new");
    assert.deepEqual(asked, [
      "/feeds/news", "/feeds/news?since=q7x2m5kd.1", "/feeds/news?since=q7x2m5kd.2",
    ]);
    assert.deepEqual(ids(feed), ["3", "1", "2"]);
  });

  test("is one request for calls at the same time", async () => {
    const { service, asked } = scripted(first);
    const feed = new Feed(service, "news");
    const [one, other] = await Promise.all([feed.refresh(), feed.refresh()]);
    assert.equal(one, other);
    assert.equal(asked.length, 1);
  });

  for (const [name, members] of [
    ["count", { count: 9 }], ["order", { order: "00000000" }], ["since", { since: "q7x2m5kd.9" }],
    ["place", { changes: { items: { remove: ["9"] } } }],
  ]) {
    test(`takes the whole feed when the ${name} does not fit`, async () => {
      const whole = { ...first, token: "q7x2m5kd.3", count: 1,
        sections: [{ id: "main", count: 1, items: [{ id: "2", likes: 1 }] }] };
      const { service, asked } = scripted(first, changed(members), whole);
      const feed = new Feed(service, "news");
      await feed.refresh();
      assert.equal((await feed.refresh()).words, "1 changed, 1 gone");
      assert.equal(asked[2], "/feeds/news");
      assert.equal(feed.token, "q7x2m5kd.3");
    });
  }

  for (const [name, other] of [
    ["document is of another feed", { feed: "sport" }], ["kind is not known", { kind: "digest" }],
  ]) {
    test(`takes the whole feed, and asks for it once, when the ${name}`, async () => {
      const { service, asked } = scripted(first, changed(other), changed(other));
      const feed = new Feed(service, "news");
      await feed.refresh();
      await assert.rejects(feed.refresh(), FreshetError);
      assert.deepEqual(ids(feed), ["1", "2"]);
      assert.equal(feed.token, null);
      assert.deepEqual(asked,
        ["/feeds/news", "/feeds/news?since=q7x2m5kd.1", "/feeds/news"]);
    });
  }

  test("replaces what it has by a snapshot", async () => {
    const whole = { ...first, reason: "epoch", token: "aaaaaaaa.1",
      sections: [{ id: "other", count: 1, items: [{ id: "1" }, { id: "5" }] }] };
    const { service } = scripted(first, whole);
    const feed = new Feed(service, "news");
    await feed.refresh();
    assert.equal((await feed.refresh()).words, "1 new, 1 moved, 1 gone");
    assert.deepEqual(ids(feed), ["1", "5"]);
  });

  test("does not go back to a snapshot that came while it was asking", async () => {
    const newer = { ...first, token: "aaaaaaaa.2", title: "Newer" };
    const { service, asked } = scripted(
      first, newer, { kind: "unchanged", token: "aaaaaaaa.2" });
    const feed = new Feed(service, "news");
    await feed.refresh();
    const titles = [];
    feed.addEventListener("change", () => titles.push(feed.snapshot.members.title));
    await Promise.all([
      feed.refresh(), feed.applyDocument({ ...first, token: "aaaaaaaa.1", title: "Older" }),
    ]);
    assert.deepEqual(titles, ["Newer"]);
    assert.equal(asked[2], "/feeds/news?since=aaaaaaaa.2");
  });

  test("does not wait for ever", async () => {
    const send = (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    const service = new Service("", { fetch: send, cache: null, times: { answer: 1 } });
    const feed = new Feed(service, "news");
    await assert.rejects(feed.refresh(), { message: "The server does not answer." });
    assert.equal(feed.state, "offline");
  });

  test("ends for who gives up, and goes on for others", async () => {
    let answer;
    const { signals, send } = { signals: [], send: (_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve, reject) => {
        answer = () => resolve(Response.json(first));
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    } };
    const feed = new Feed(new Service("", { fetch: send, cache: null }), "news");
    const [one, other] = [new AbortController(), new AbortController()];
    const gaveUp = feed.refresh({ signal: one.signal });
    const stays = feed.refresh();
    while (signals.length === 0) await null;
    one.abort();
    await assert.rejects(gaveUp, { name: "AbortError" });
    answer();
    assert.equal((await stays).isFirst, true);
    const alone = feed.refresh({ signal: other.signal });
    while (signals.length === 1) await null;
    other.abort();
    await assert.rejects(alone, { name: "AbortError" });
    assert.equal(signals[1].aborted, true);
    assert.equal(feed.state, "idle");
  });

  test("keeps what it has when a refresh fails, and can try again", async () => {
    const problem = { type: "/problems/limit", title: "Busy", status: 503, detail: "too much" };
    const { service } = scripted(
      first, new TypeError("network"), Response.json(problem, { status: 503 }),
      new Response("<p>Hello"), changed());
    const feed = new Feed(service, "news");
    await feed.refresh();
    await assert.rejects(feed.refresh(), { message: "The server cannot be reached." });
    await assert.rejects(feed.refresh(), (error) =>
      error.status === 503 && error.message === "The server refused: too much (503)");
    await assert.rejects(feed.refresh(), FreshetError);
    assert.equal(feed.token, "q7x2m5kd.1");
    assert.equal((await feed.refresh()).words, "1 new");
  });
});

suite("the state of a feed", () => {
  const page = () => new Response("<p>Welcome", { headers: { "Content-Type": "text/html" } });
  for (const [name, answer, state] of [
    ["a key is needed", () => refused(401), "failed"], ["it is not there", () => refused(404), "failed"],
    ["the server is busy", () => refused(503), "failed"],
    ["the address is of something else", page, "failed"],
    ["nothing answers", () => new TypeError("network"), "offline"],
  ]) {
    test(`is ${state} when ${name}, asked once or followed`, async () => {
      for (const ask of ["refresh", "live"]) {
        const send = async () => {
          const one = answer();
          if (one instanceof Error) throw one;
          return one;
        };
        const feed = new Feed(new Service("", { fetch: send, cache: null }), "news");
        if (ask === "live") feed.live();
        else await assert.rejects(feed.refresh(), FreshetError);
        while (!feed.error) await new Promise((resolve) => setImmediate(resolve));
        assert.equal(feed.state, state);
        assert.equal(feed.error.status === undefined, state === "offline");
        feed.stop();
      }
    });
  }

  test("is said in words when all of it is new", async () => {
    const { service } = scripted(first, { kind: "unchanged", token: first.token });
    const feed = new Feed(service, "news");
    assert.equal((await feed.refresh()).words, "Loaded");
    assert.equal((await feed.refresh()).words, "Nothing new");
  });
});

suite("the address of a server", () => {
  for (const [base, url] of [
    ["", "/feeds"], ["/", "/feeds"], ["/api/", "/api/feeds"], ["..", "../feeds"],
    ["https://example.org", "https://example.org/feeds"], ["https://example.org/", "https://example.org/feeds"],
    ["http://127.0.0.1:8080/a//", "http://127.0.0.1:8080/a/feeds"], ["HTTPS://[::1]:1", "HTTPS://[::1]:1/feeds"],
  ]) {
    test(`may be “${base}”`, async () => {
      const asked = [];
      const send = async (path) => (asked.push(path), Response.json({ feeds: [] }));
      await new Service(base, { fetch: send, cache: null }).feeds();
      assert.deepEqual(asked, [url]);
    });
  }

  for (const base of ["example.org", "example.org/feeds", "localhost:8080", "127.0.0.1:8080", "//example.org",
    "ftp://example.org", "https:", "https://", "http:example.org", "https://a b", "https://example.org?a",
    "https://[", "/a#b"]) {
    test(`is refused at once as “${base}”`, () => {
      assert.throws(() => new Service(base), (error) =>
        error instanceof FreshetError && error.message.includes(`“${base}”`) && /https:\/\//.test(error.message));
    });
  }
});

suite("a problem", () => {
  for (const [type, status] of [["outcome-unknown", 500], ["behind", 503]]) {
    test(`has a name: ${type}`, async () => {
      const problem = { type: `/problems/${type}`, title: "T", status, detail: "d" };
      const headers = { "Retry-After": "2" };
      const { service } = scripted(Response.json(problem, { status, headers }));
      await assert.rejects(service.request("/feeds/news", { method: "PUT" }), (error) =>
        error.type === type && error.status === status && error.retryAfter === 2 && !error.isGone);
    });
  }

  test("may have none", async () => {
    for (const body of ["<p>", "3", '{"type": 5}']) {
      const { service } = scripted(new Response(body, { status: 500 }));
      await assert.rejects(service.feeds(), (error) => error.type === undefined);
    }
  });
});

suite("listing feeds", () => {
  test("follows the pages", async () => {
    const { service, asked } = scripted(
      { kind: "feeds", feeds: [{ id: "a" }], next: "?limit=1&after=a" },
      { kind: "feeds", feeds: [{ id: "b" }] });
    assert.deepEqual((await service.feeds()).map(({ id }) => id), ["a", "b"]);
    assert.deepEqual(asked, ["/feeds", "/feeds?limit=1&after=a"]);
  });
});
