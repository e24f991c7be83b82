import { Reader } from "./reader/Reader.js";

new Reader(document).start();
