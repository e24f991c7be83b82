/** The operator's page: how the server is. */
import { Console } from "./console/Console.js";
import { translatePage } from "./pageTexts.js";

await translatePage();
await new Console(document).start();
