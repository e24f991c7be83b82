// The protocol in the browser and anywhere else with fetch: no view of a page in here.

import "./freshet/applying.js";
import "./freshet/Pulls.js";

export { Cache } from "./freshet/Cache.js";
export { Feed } from "./freshet/Feed.js";
export { FreshetError } from "./freshet/FreshetError.js";
export { RefreshResult } from "./freshet/RefreshResult.js";
export { Service } from "./freshet/Service.js";
export { Snapshot } from "./freshet/Snapshot.js";
export { crc32 } from "./freshet/crc32.js";
export { events } from "./freshet/events.js";
