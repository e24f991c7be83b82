// Controls, scroll views and tables over the browser's own scrolling: docs/UI.md. No feed in here.
// All elements are registered, for pages that have them in their markup; ui/classes.js registers none
// before it is made.

import { define } from "./ui/page.js";
import {
  ActivityIndicator, IndexBar, RefreshControl, RefreshingScrollView, ScrollView, TableView,
  TableViewCell,
} from "./ui/classes.js";

export * from "./ui/classes.js";

for (const type of [ActivityIndicator, IndexBar, RefreshControl, RefreshingScrollView, ScrollView,
  TableView, TableViewCell]) define(type);
