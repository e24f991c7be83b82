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
  return { service: new Service("", send), asked };
}

const ids = (feed) => feed.snapshot.sections.flatMap(({ items }) => items.map(({ id }) => id));

suite("refreshing a feed", () => {
  test("asks for the snapshot once and then with the token", async () => {
    const { service, asked } = scripted(first, changed(), { kind: "unchanged" });
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

  test("replaces what it has by a snapshot", async () => {
    const whole = { ...first, reason: "epoch", token: "aaaaaaaa.1",
      sections: [{ id: "other", count: 1, items: [{ id: "1" }, { id: "5" }] }] };
    const { service } = scripted(first, whole);
    const feed = new Feed(service, "news");
    await feed.refresh();
    assert.equal((await feed.refresh()).words, "1 new, 1 moved, 1 gone");
    assert.deepEqual(ids(feed), ["1", "5"]);
  });

  test("keeps what it has when a refresh fails, and can try again", async () => {
    const problem = { type: "/problems/limit", title: "Busy", status: 503, detail: "too much" };
    const { service } = scripted(
      first, new TypeError("network"), Response.json(problem, { status: 503 }),
      new Response("<p>Hello"), changed());
    const feed = new Feed(service, "news");
    await feed.refresh();
    await assert.rejects(feed.refresh(), new FreshetError("The server cannot be reached."));
    await assert.rejects(feed.refresh(), (error) =>
      error.status === 503 && error.message === "The server refused: too much (503)");
    await assert.rejects(feed.refresh(), FreshetError);
    assert.equal(feed.token, "q7x2m5kd.1");
    assert.equal((await feed.refresh()).words, "1 new");
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
