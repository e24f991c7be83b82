import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { Feed, Service, Snapshot } from "../../Public/freshet.js";
import { events } from "../../Public/freshet/Connection.js";

/** The vectors for clients, whose README says what they mean. */
const { checks, sessions, streams, vectors } = JSON.parse(
  readFileSync(new URL("../../docs/conformance/client.json", import.meta.url), "utf8"));

/** What a server has once a client asks it, which no vector has. */
const served = (() => {
  const sections = [{ id: "fetched", count: 1, items: [{ id: "fetched" }] }];
  const { count, order } = new Snapshot({}, sections);
  return { kind: "snapshot", feed: "birds", token: "zzzzzzzz.1", count, order, total: 1, sections };
})();

/** A feed of a service that notes what it is asked, and answers with `served`. */
function birds(isView) {
  const asked = [];
  const send = async (path) => {
    asked.push(path);
    return Response.json(served);
  };
  // What was read with a key goes as soon as it is missing.
  const service = new Service("", { fetch: send, cache: null, key: "k" });
  return { feed: new Feed(service, "birds", isView ? { limit: 1 } : {}), asked };
}

/** What the feed holds, in the form of `holds`; sections have the counts that they are told, or come to. */
function held({ token, snapshot }, hasTotal) {
  const sections = (snapshot?.sections ?? [])
    .map(({ items, count = items.length, ...members }) => ({ ...members, count, items }));
  const total = hasTotal ? { total: snapshot?.total ?? snapshot?.count } : {};
  return { token, members: snapshot?.members ?? {}, sections, ...total };
}

suite("the vectors for clients", () => {
  test("are all there", () => {
    assert.ok(vectors.length >= 63 && streams.length >= 12);
    assert.ok(checks.length >= 6 && sessions.length >= 8);
  });

  for (const { name, view, documents, holds, refused } of vectors) {
    test(name, async () => {
      const { feed, asked } = birds(view);
      for (const document of documents) {
        assert.deepEqual(asked, [], "a document before the last was refused");
        await feed.applyDocument(document, JSON.stringify(document));
      }
      if (refused) {
        assert.ok(asked.length > 0, "the last document was not refused");
        assert.equal(feed.token, served.token);
        return;
      }
      assert.deepEqual(asked, []);
      assert.deepEqual(held(feed, "total" in holds), holds);
    });
  }
});

suite("the checks for clients", () => {
  for (const { name, sections, order } of checks) {
    test(name, () => {
      const withItems = sections.map(({ id, items }) => ({ id, items: items.map((item) => ({ id: item })) }));
      assert.equal(new Snapshot({}, withItems).order, order);
    });
  }
});

suite("the sessions for clients", () => {
  for (const { name, steps } of sessions) {
    test(name, async () => {
      let exchanges = [];
      const send = async (path, { headers } = {}) => {
        const { since, status, fields, json, text } = exchanges.shift() ?? assert.fail(`asked for ${path}`);
        const url = new URL(path, "http://birds.invalid");
        assert.equal(url.pathname, "/feeds/birds");
        assert.equal(url.searchParams.get("since"), since);
        if (since === null) assert.equal(new Headers(headers).get("If-None-Match"), null);
        return new Response(text ?? JSON.stringify(json),
          { status, headers: { "Content-Type": "application/json", ...fields } });
      };
      const feed = new Feed(new Service("", { fetch: send, key: "a-key", cache: null }), "birds");
      for (const step of steps) {
        exchanges = [...step.exchanges];
        await feed.refresh().catch(() => {});
        assert.equal(exchanges.length, 0, "it asked for less");
        assert.deepEqual(held(feed, false), step.holds);
      }
    });
  }
});

/** The data of a stream's events that arrives in these parts. */
async function read(parts) {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const data = [];
  for await (const one of events(body)) data.push(one);
  return data;
}

// This client goes by the kind in an event's data, not by the event's name, and by the tokens of its
// feeds, not by ids. It waits for a time of its own, not for `retry`.
suite("the streams for clients", () => {
  for (const { name, stream, events: expected } of streams) {
    test(name, async () => {
      const bytes = new TextEncoder().encode(stream);
      const data = expected.map((event) => event.data);
      assert.deepEqual(await read([bytes]), data);
      assert.deepEqual(await read([...bytes].map((byte) => Uint8Array.of(byte))), data);
      for (let cut = 1; cut < bytes.length; cut += 1) {
        assert.deepEqual(await read([bytes.slice(0, cut), bytes.slice(cut)]), data);
      }
    });
  }
});
