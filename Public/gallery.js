import { showGallery } from "./gallery/showGallery.js";
import { translatePage } from "./words/pages.js";

await translatePage();
showGallery(document.getElementById("contents"), document.getElementById("examples"));
