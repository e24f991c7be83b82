import "./reader/prerender.js";
import { Reader } from "./reader/Reader.js";

new Reader(document).start();
