/** The page of the API: shows openapi.json. */
import { ReferencePage } from "./api/ReferencePage.js";
import { translatePage } from "./pageTexts.js";

await translatePage();
await new ReferencePage(document).load("openapi.json");
