import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { Feed, Service } from "../../Public/freshet.js";

const document = (version, ...ids) => ({
  kind: "snapshot", feed: "news", token: `q7x2m5kd.${version}`, title: "News",
  sections: [{ id: "main", items: ids.map((id) => ({ id })) }],
});

function feed() {
  return new Feed(new Service("", { cache: null, fetch: async () => { throw new TypeError(); } }), "news");
}

suite("subscribing to a feed", () => {
  test("calls at once and after each change, until it is ended, unbound too", async () => {
    const news = feed();
    const { subscribe } = news;
    const seen = [];
    const unsubscribe = subscribe((snapshot) => seen.push(snapshot));
    assert.deepEqual(seen, [null]);
    await news.applyDocument(document(1, "a"));
    assert.equal(seen.at(-1), news.snapshot);
    await news.applyDocument(document(2, "b"));
    assert.equal(seen.at(-1).item("b").id, "b");
    const { length } = seen;
    unsubscribe();
    unsubscribe();
    await news.applyDocument(document(3));
    assert.equal(seen.length, length);
  });

  test("calls when the state is another", async () => {
    const news = feed();
    const states = [];
    news.subscribe(() => states.push([news.state, news.error !== null]));
    await assert.rejects(news.refresh());
    assert.deepEqual(states.at(-1), ["offline", true]);
  });

  test("has the same snapshot until something changes, and nobody can change it", async () => {
    const news = feed();
    await news.applyDocument(document(1, "a"));
    const { snapshot, token } = news;
    await news.applyDocument({ kind: "unchanged", token });
    assert.equal(news.snapshot, snapshot);
    assert.throws(() => { snapshot.sections = []; }, TypeError);
    assert.throws(() => { snapshot.sections.push({}); }, TypeError);
    assert.throws(() => { snapshot.members.title = "Other"; }, TypeError);
    await news.applyDocument(document(2, "a"));
    assert.notEqual(news.snapshot, snapshot);
  });
});

/** Loads an example of docs/WEB.md that imports a module, which is given here. */
async function example(name, framework) {
  const docs = readFileSync(new URL("../../docs/WEB.md", import.meta.url), "utf8");
  const code = [...docs.matchAll(/^```ts\n(.*?)^```/gms)].map(([, found]) => found)
    .find((found) => found.includes(`from "${name}"`));
  globalThis.framework = framework;
  const plain = code.replace(/^import type .*\n/gm, "").replace(/<T extends \{ id: string \}>/g, "")
    .replaceAll(": Feed<T>", "")
    .replace(/^import (\{.*?\}) from .*$/m, "const $1 = globalThis.framework;");
  return import(`data:text/javascript,${encodeURIComponent(plain)}`);
}

/** A feed that notes whether it is followed. */
function followed() {
  const news = feed();
  const calls = [];
  news.live = () => calls.push("live");
  news.stop = () => calls.push("stop");
  return { news, calls };
}

suite("the hooks of the guide", () => {
  test("keep React's contract: a stable snapshot, and an end for each effect", async () => {
    const { news, calls } = followed();
    let [clean, store] = [];
    const { useFeed } = await example("react", {
      useEffect: (effect, dependencies) => {
        assert.deepEqual(dependencies, [news]);
        clean = effect();
      },
      useSyncExternalStore: (subscribe, get, getOnServer) => {
        store = { subscribe, get, getOnServer };
        return get();
      },
    });
    assert.equal(useFeed(news), null);
    const { subscribe } = store;
    useFeed(news);
    assert.equal(store.subscribe, subscribe, "another function would subscribe with each rendering");
    let count = 0;
    const unsubscribe = subscribe(() => { count += 1; });
    const before = count;
    await news.applyDocument(document(1, "a"));
    assert.ok(count > before);
    assert.equal(store.get(), store.get());
    assert.equal(useFeed(news).item("a").id, "a");
    assert.equal(store.getOnServer(), null);
    unsubscribe();
    clean();
    assert.equal(calls.at(-1), "stop");
  });

  test("keep Vue's: a reference that is set, until its scope ends", async () => {
    const { news, calls } = followed();
    let dispose;
    const { useFeed } = await example("vue", {
      shallowRef: (value) => ({ value }), onScopeDispose: (ended) => { dispose = ended; },
    });
    const reference = useFeed(news);
    await news.applyDocument(document(1, "a"));
    assert.equal(reference.value, news.snapshot);
    dispose();
    const { value } = reference;
    await news.applyDocument(document(2, "b"));
    assert.equal(reference.value, value);
    assert.deepEqual(calls, ["live", "stop"]);
  });

  test("keep Svelte's: a value at once, and followed while somebody looks", async () => {
    const { news, calls } = followed();
    const module = await example("svelte/store", {
      readable: (value, start) => ({
        subscribe(run) {
          run(value);
          return start(run);
        },
      }),
    });
    const store = module.followed(news);
    assert.deepEqual(calls, []);
    const seen = [];
    const unsubscribe = store.subscribe((snapshot) => seen.push(snapshot));
    assert.equal(seen[0], null);
    await news.applyDocument(document(1, "a"));
    assert.equal(seen.at(-1), news.snapshot);
    unsubscribe();
    assert.deepEqual(calls, ["live", "stop"]);
  });
});
