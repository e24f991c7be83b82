import { translatePage } from "./pageTexts.js";
import { Workbench } from "./workbench/Workbench.js";

await translatePage();
new Workbench(document).start();
