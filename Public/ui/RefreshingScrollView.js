import { ScrollView } from "./ScrollView.js";

/** A scroll view that refreshes in its own way: `<refreshing-scroll-view>`. */
export class RefreshingScrollView extends ScrollView {}

customElements.define("refreshing-scroll-view", RefreshingScrollView);
