import "./reader/paint.js";
import { Reader } from "./reader/Reader.js";

new Reader(document).start();
