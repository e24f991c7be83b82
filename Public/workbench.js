import { translatePage } from "./words/pages.js";
import { Workbench } from "./workbench/Workbench.js";

await translatePage();
new Workbench(document).start();
