// German.

export default {
  feeds: "Feeds", workbench: "Werkbank", view: "Ansicht", key: "Schlüssel",
  back: "Zurück zu den Feeds", filter: "Filtern", live: "Live", refresh: "Aktualisieren",
  loading: "Wird geladen", item: "Eintrag", filterWords: "Nach Wörtern filtern",
  unreadOnly: "Nur ungelesene", someOf: "{some} von {all}",
  searchAll: "Alle Feeds durchsuchen", foundNone: "Nichts gefunden",
  foundNoneText: "Durchsucht werden Feeds, die auf diesem Gerät geöffnet wurden.",

  items: { one: "{count} Eintrag", other: "{count} Einträge" },
  updated: "Stand: {ago}", offline: "Offline, Stand: {ago}", isLive: "Live",
  inserted: "{count} neu", moved: "{count} verschoben", changed: "{count} geändert",
  removed: "{count} entfernt", rearranged: "Neu geordnet", nothingNew: "Nichts Neues",
  refreshing: "Wird aktualisiert", asOf: "Das ist der Stand von {time}.", sections: "Abschnitte",

  liveNote: "Live: Änderungen erscheinen von selbst, solange die Seite zu sehen ist. Sonst auf Wunsch.",
  gotIt: "Verstanden",
  release: "Es gibt eine neue Version dieser Seite.", takeRelease: "Laden",

  noFeeds: "Noch keine Feeds", noFeedsText: "Der erste erscheint hier, sobald er veröffentlicht ist.",
  openWorkbench: "Werkbank öffnen",
  empty: "Hier ist noch nichts",
  emptyText: "Diese Zeile veröffentlicht etwas, mit Ihrem Schlüssel darin. Es erscheint hier.",
  keyNeeded: "Ein Schlüssel ist nötig",
  keyNeededText: "Dieser Server zeigt seine Feeds nur mit einem Schlüssel.",
  keyUnknown: "Der Schlüssel passt nicht",
  keyUnknownText: "Dieser Server kennt ihn nicht. Ist er richtig eingegeben?",
  keyElsewhere: "Dieser Schlüssel öffnet ihn nicht",
  keyElsewhereText: "Er ist für andere Feeds dieses Servers.",
  enterKey: "Schlüssel eingeben", enterAnotherKey: "Anderen Schlüssel eingeben",
  feedMissing: "Diesen Feed gibt es nicht",
  feedMissingText: "Er wurde entfernt oder heißt jetzt anders.", seeFeeds: "Alle Feeds ansehen",
  failed: "Das hat nicht geklappt", tryAgain: "Erneut versuchen",
  lost: "Der Server ist nicht erreichbar.", lostText: "Besteht eine Verbindung, und läuft er?",
  refused: "Der Server hat abgelehnt: {reason} ({status})",
  strange: "Die Antwort des Servers ist kein Dokument eines Feeds.",

  close: "Schließen", previous: "Voriger Eintrag", next: "Nächster Eintrag", share: "Teilen",
  copyLink: "Link kopieren", original: "Original", openOriginal: "Original öffnen",
  copy: "Kopieren", copied: "Kopiert", selected: "Ausgewählt", notAllowed: "Hier nicht erlaubt",
  picture: "Bild", files: "Dateien", markRead: "Gelesen", markUnread: "Ungelesen", markTo: "Alle bis hier",
  markedRead: "{count} als gelesen markiert",

  theme: "Farben", asSystem: "Wie das System", light: "Hell", dark: "Dunkel",
  contrast: "Hoher Kontrast", textSize: "Schrift", medium: "Mittel", small: "Klein", large: "Groß",
  rows: "Zeilen", comfortable: "Geräumig", compact: "Dicht", language: "Sprache",
  asBrowser: "Wie der Browser", done: "Fertig",

  keys: "Tasten", keyOpen: "Nächsten Eintrag öffnen, den vorigen",
  keyGo: "Zur nächsten Zeile, zur vorigen", keyToggle: "Eintrag öffnen oder schließen",
  keyMark: "Als gelesen oder ungelesen markieren", keyMarkTo: "Alle bis hier als gelesen markieren",
  keyBack: "Zurück",

  keyText: "Manche Server zeigen ihre Feeds nur mit einem Schlüssel."
    + " Er bleibt, bis dieser Tab geschlossen wird, und mit ihm, was er geöffnet hat.",
  useKey: "Verwenden", removeKey: "Entfernen", cancel: "Abbrechen",
};
