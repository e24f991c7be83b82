// Controls, scroll views and tables over the browser's own scrolling: docs/UI.md. No feed in here.

import "./define.js";

export * from "./classes.js";
