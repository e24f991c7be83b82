// Registers all elements, for pages that have them in their markup. What is made by `new` registers
// itself.

import { define } from "./element.js";
import {
  ActivityIndicator, IndexBar, RefreshControl, RefreshingScrollView, ScrollView, TableView,
  TableViewCell,
} from "./classes.js";

for (const type of [ActivityIndicator, IndexBar, RefreshControl, RefreshingScrollView, ScrollView,
  TableView, TableViewCell]) define(type);
