import { showGallery } from "./gallery/showGallery.js";

showGallery(document.getElementById("contents"), document.getElementById("examples"));
