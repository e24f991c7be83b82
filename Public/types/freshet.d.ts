export { Cache } from "./freshet/Cache.js";
export { events } from "./freshet/Connection.js";
export { Feed } from "./freshet/Feed.js";
export { FreshetError, Service } from "./freshet/Service.js";
export { crc32, RefreshResult, Snapshot } from "./freshet/Snapshot.js";
