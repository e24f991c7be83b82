// Serves the pages where there is no network: the files of one release, and never of two. Feeds,
// streams and whatever else is asked for go to the server, with their keys, and are not kept here.

/* global release */
const trusted = globalThis.trustedTypes?.createPolicy("freshet", { createScriptURL: (file) => file });
importScripts(trusted?.createScriptURL("release.js") ?? "release.js");

const prefix = "freshet release ";
const cacheName = prefix + release.version;
/**
 * The pages that were there before this release took over, and which one they go on with. It is
 * kept, too: a browser ends a worker that has nothing to do, and starts it again.
 */
let before;

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", ({ data }) => { if (data === "take over") skipWaiting(); });

addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  const { file, version } = nameOf(request);
  if (request.method === "GET" && Object.hasOwn(release.files, file)) {
    event.respondWith(version ? ofRelease(version, file, request) : answer(file, clientId));
  }
});

/** Fetches all files, or none: one that is not of this release ends the installation. */
async function install() {
  // The pages that are open may have this very release.
  const isThere = await caches.has(cacheName);
  const cache = await caches.open(cacheName);
  try {
    await Promise.all(Object.keys(release.files).map(async (file) =>
      cache.put(addressOf(file), await fetched(file))));
  } catch (error) {
    if (!isThere) await caches.delete(cacheName);
    throw error;
  }
  // Where there was none before nobody is asked.
  if (!registration.active) await skipWaiting();
}

/** Leaves releases before to the pages that have them, until they are loaded anew. */
async function activate() {
  const notes = await caches.open("freshet");
  const last = await (await notes.match(addressOf("release")))?.text();
  const old = last ? await clients.matchAll() : [];
  const older = new Map(await noted("before"));
  before = new Map(old.map(({ id }) => [id, older.get(id) ?? last]));
  await notes.put(addressOf("before"), new Response(JSON.stringify([...before])));
  await notes.put(addressOf("release"), new Response(cacheName));
  const kept = new Set([cacheName, last, ...before.values()]);
  const gone = (await caches.keys()).filter((name) => name.startsWith(prefix) && !kept.has(name));
  await Promise.all(gone.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(file, page) {
  before ??= new Map(await noted("before"));
  const cache = await caches.open(before.get(page) ?? cacheName);
  return await cache.match(addressOf(file)) ?? fetched(file);
}

/** The file of the release that a page names, which may be another than the worker's. */
async function ofRelease(version, file, request) {
  const kept = await caches.has(prefix + version) && await (await caches.open(prefix + version)).match(addressOf(file));
  return kept || fetch(request);
}

/** What was noted by a worker before. */
async function noted(name) {
  const note = await (await caches.open("freshet")).match(addressOf(name));
  return note ? note.json() : [];
}

/** A file of this release from the server; an error when the server has another one. */
async function fetched(file) {
  const response = await fetch(addressOf(file), { cache: "no-cache" });
  const content = file.endsWith(".html") ? withoutRelease(await response.text()) : await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (!response.ok || btoa(String.fromCharCode(...digest)) !== release.files[file]) {
    throw new TypeError(`${file} is not that of the release ${release.version}`);
  }
  const headers = new Headers(response.headers);
  // Of what was on the way.
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(content, { headers });
}

/** A page as it is in the folder: Freshet's server has it name its files by the release. */
function withoutRelease(page) {
  return new TextEncoder().encode(page.replaceAll(`="@${release.version}/`, '="'));
}

/** The file that a request is for, empty for what is none, and the release that it names, if any. */
function nameOf({ url, mode }) {
  const { origin, pathname, search } = new URL(url);
  const { origin: ours, pathname: folder } = new URL(registration.scope);
  if (origin !== ours || !pathname.startsWith(folder)) return { file: "" };
  if (search !== "" && mode !== "navigate") return { file: "" };
  const [, version, file] = /^(?:@([0-9a-f]{12})\/)?(.*)$/s.exec(pathname.slice(folder.length));
  return { file: file || "index.html", version };
}

function addressOf(file) { return new URL(file, registration.scope).href; }
