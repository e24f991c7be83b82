import { Reader } from "./reader/Reader.js";
import { Service } from "./freshet.js";

new Reader(document, new Service()).start();
