// The service worker, with caches and a network of a few lines.

import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import vm from "node:vm";

const code = readFileSync(new URL("../../Public/worker.js", import.meta.url), "utf8");
const scope = "https://here.example/";

class Caches {
  all = new Map();
  async open(name) {
    if (!this.all.has(name)) this.all.set(name, new Map());
    const files = this.all.get(name);
    return {
      match: async (address) => files.get(address)?.clone(),
      put: async (address, response) => { files.set(address, response); },
    };
  }
  async has(name) { return this.all.has(name); }
  async keys() { return [...this.all.keys()]; }
  async delete(name) { return this.all.delete(name); }
}

const release = (version, files) => ({ version, files: Object.fromEntries(Object.entries(files)
  .map(([name, text]) => [name, createHash("sha256").update(text).digest("base64")])) });

/** A worker of a release, as a browser starts it. */
function worker({ version, files, caches, fetch, pages = [], active = null }) {
  const heard = {};
  const self = {
    release: release(version, files), caches, fetch, crypto: webcrypto, btoa, URL, Response,
    Headers, TextEncoder, Uint8Array, TypeError, registration: { scope, active }, skipWaiting: async () => {},
    clients: { matchAll: async () => pages, claim: async () => {} },
    importScripts() {}, addEventListener: (kind, listener) => { heard[kind] = listener; },
  };
  vm.runInNewContext(code, self);
  const all = (kind) => new Promise((resolve) => {
    heard[kind]({ waitUntil: (work) => resolve(work) });
  });
  return {
    install: () => all("install"), activate: () => all("activate"),
    async text(file, clientId) {
      let answer;
      heard.fetch({ clientId, respondWith: (made) => { answer = made; },
        request: { url: scope + file, method: "GET", mode: "cors" } });
      return (await answer)?.text();
    },
  };
}

const serving = (files) => async (address) => new Response(files[address.slice(scope.length)]);

suite("the service worker", () => {
  const [one, two] = [{ "a.js": "one" }, { "a.js": "two" }];

  async function upgraded() {
    const caches = new Caches();
    const first = worker({ version: "1", files: one, caches, fetch: serving(one) });
    await first.install();
    await first.activate();
    const fetch = serving(two);
    const second = worker({ version: "2", files: two, caches, fetch, pages: [{ id: "old" }], active: {} });
    await second.install();
    await second.activate();
    return { caches, second };
  }

  test("leaves a page the files of its release", async () => {
    const { second } = await upgraded();
    assert.equal(await second.text("a.js", "old"), "one");
    assert.equal(await second.text("a.js", "new"), "two");
    assert.equal(await second.text("constructor", "new"), undefined);
  });

  test("does so, too, when it was ended and started again meanwhile", async () => {
    const { caches } = await upgraded();
    const again = worker({ version: "2", files: two, caches, fetch: serving(two) });
    assert.equal(await again.text("a.js", "old"), "one");
    assert.equal(await again.text("a.js", "new"), "two");
  });

  test("does so, too, for a page that is open while another release comes, until it is closed", async () => {
    const { caches } = await upgraded();
    const three = { "a.js": "three" };
    const fetch = serving(three);
    const pages = [{ id: "old" }, { id: "newer" }];
    const third = worker({ version: "3", files: three, caches, fetch, pages, active: {} });
    await third.install();
    await third.activate();
    const texts = ["old", "newer", "newest"].map((page) => third.text("a.js", page));
    assert.deepEqual(await Promise.all(texts), ["one", "two", "three"]);
    const four = { "a.js": "four" };
    const last = worker({ version: "4", files: four, caches, fetch: serving(four), active: {} });
    await last.install();
    await last.activate();
    assert.deepEqual(await caches.keys(), ["freshet", "freshet release 3", "freshet release 4"]);
  });

  test("keeps what is there when the same release cannot be fetched once more", async () => {
    const caches = new Caches();
    const first = worker({ version: "1", files: one, caches, fetch: serving(one) });
    await first.install();
    await first.activate();
    const lost = async () => { throw new TypeError("no network"); };
    const again = worker({ version: "1", files: one, caches, fetch: lost, active: {} });
    await again.install().catch(() => {});
    const running = worker({ version: "1", files: one, caches, fetch: lost });
    assert.equal(await running.text("a.js", "page"), "one");
  });

  test("has the files that pages name by their release, and asks for those of one that it has not", async () => {
    const caches = new Caches();
    const [first, second] = ["111111111111", "222222222222"];
    const page = (version) => `<script src="${version && `@${version}/`}a.js"></script>`;
    const made = { "index.html": page(""), ...one };
    const served = { "index.html": page(first), ...one };
    const running = worker({ version: first, files: made, caches, fetch: serving(served) });
    await running.install();
    await running.activate();
    assert.equal(await running.text("", "page"), page(""));
    assert.equal(await running.text(`@${first}/a.js`, "page"), "one");
    assert.equal(await running.text(`@${first}/b.js`, "page"), undefined);
    // A page that came past the worker may be of another one.
    const fetch = async ({ url }) => new Response(`asked for ${url.slice(scope.length)}`);
    const again = worker({ version: first, files: made, caches, fetch });
    assert.equal(await again.text(`@${second}/a.js`, "page"), `asked for @${second}/a.js`);
    // And a page that names another release is none of this one.
    const other = serving({ "index.html": page(second), ...one });
    await assert.rejects(worker({ version: first, files: made, caches: new Caches(), fetch: other }).install());
  });

  test("keeps nothing of a release that is not whole", async () => {
    const caches = new Caches();
    const files = { "a.js": "one", "b.js": "b" };
    const first = worker({ version: "1", files, caches, fetch: serving({ ...files, "b.js": "?" }) });
    await assert.rejects(first.install());
    assert.deepEqual(await caches.keys(), []);
  });
});
