// Controls, scroll views and tables over the browser's own scrolling: docs/UI.md. No feed in here.

import "./ui/define.js";

export * from "./ui/classes.js";
