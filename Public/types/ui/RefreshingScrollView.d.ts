/** An example of a look of one's own: `<refreshing-scroll-view>` (docs/UI.md). */
export class RefreshingScrollView extends ScrollView {
    /** Asks for what is new. */
    request: (() => Promise<unknown>) | null;
    header: HTMLElement;
    indicator: ActivityIndicator;
    get isRefreshing(): boolean;
    /** Asks for what is new; once at a time. */
    refresh(): Promise<void>;
    #private;
}
import { ScrollView } from "./ScrollView.js";
import { ActivityIndicator } from "./RefreshControl.js";
