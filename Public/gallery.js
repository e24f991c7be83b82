import { showGallery } from "./gallery/showGallery.js";
import { translatePage } from "./words.js";

await translatePage();
showGallery(document.getElementById("contents"), document.getElementById("examples"));
