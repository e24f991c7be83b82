// The protocol in the browser and anywhere else with fetch: no view of a page in here.

export { Cache } from "./freshet/Cache.js";
export { events } from "./freshet/Connection.js";
export { Feed } from "./freshet/Feed.js";
export { FreshetError, Service } from "./freshet/Service.js";
export { crc32, RefreshResult, Snapshot } from "./freshet/Snapshot.js";
