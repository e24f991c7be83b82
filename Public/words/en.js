// English: the texts that scripts write, alone. What else stands in the page is said there, and in the other
// languages' tables. Where there are several texts of a name, `count` decides among them (Unicode's plurals).

export default {
  refresh: "Refresh", item: "Item", someOf: "{some} of {all}", foundNone: "Nothing found",
  foundNoneText: "The feeds were searched that are kept on this device.",

  items: { one: "{count} item", other: "{count} items" },
  updated: "Updated {ago}", offline: "Offline, updated {ago}", isLive: "Live",
  inserted: "{count} new", moved: "{count} moved", removed: "{count} gone",
  changed: "{count} changed", rearranged: "Rearranged", nothingNew: "Nothing new",
  refreshing: "Refreshing", asOf: "This is what was here at {time}.",
  missingSince: "The server has not had this feed since {time}.", sections: "Sections",

  release: "There is a new version of this page.",

  noFeeds: "No feeds yet", noFeedsText: "Publish the first one, and it is here.",
  openWorkbench: "Open the workbench",
  empty: "Nothing here yet",
  emptyText: "This line publishes something, with your key in it. It appears here.",
  keyNeeded: "A key is needed", keyNeededText: "This server shows its feeds to those with a key.",
  keyUnknown: "The key does not fit",
  keyUnknownText: "This server does not know it. Is it typed right?",
  keyElsewhere: "This key does not open it",
  keyElsewhereText: "It is for other feeds of this server.",
  enterKey: "Enter a key", enterAnotherKey: "Enter another key",
  feedMissing: "There is no such feed",
  feedMissingText: "It was removed, or it has another name now.", seeFeeds: "See all feeds",
  noMatch: "No item has these words", noMatchText: "Look for others, or show all items.",
  allRead: "All read", allReadText: "Nothing here is unread.", showAll: "Show all",
  star: "Star", unstar: "Remove the star", starred: "Starred",
  exportStars: "Export", noStars: "Nothing starred yet", noStarsText: "A star keeps an item here, on this device alone.",
  itemMissing: "This item is not in the feed any more.",
  failed: "That did not work", tryAgain: "Try again",
  lost: "The server cannot be reached.", lostText: "Check the connection and whether it runs.",
  refused: "The server refused: {reason} ({status})",
  strange: "The server’s answer is no document of a feed.",

  close: "Close", previous: "Previous item", next: "Next item", share: "Share",
  copyLink: "Copy link", original: "Original", openOriginal: "Open original",
  copy: "Copy", copied: "Copied", selected: "Selected", notAllowed: "Not allowed here",
  picture: "Picture", files: "Files", markRead: "Read", markUnread: "Unread", markTo: "All to here",
  markedRead: "{count} marked as read", markedUnread: "{count} marked as unread",
  markAll: "Mark all {count}",
  itemGone: "This item was removed from the feed. Its text stays here until you leave it.",
};
