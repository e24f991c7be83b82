import { showGallery } from "./gallery/showGallery.js";
import { translatePage } from "./pageTexts.js";

await translatePage();
showGallery(document.getElementById("contents"), document.getElementById("examples"));
