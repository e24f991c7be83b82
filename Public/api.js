/** The page of the API: shows openapi.json. */
import { ReferencePage } from "./api/ReferencePage.js";

await new ReferencePage(document).load("openapi.json");
