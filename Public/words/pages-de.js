// German, for `pages.js`, by the English texts.

export default {
  "Pages": "Seiten",
  "Reader": "Leser",
  "Workbench": "Werkbank",
  "Gallery": "Galerie",
  "Publish the whole list. Readers get just what changed.":
    "Die ganze Liste veröffentlichen. Leser bekommen nur, was sich geändert hat.",
  "Change the list and publish it. One reader follows and hears at once; the other asks when you tell it to, and gets everything it missed in a single answer.":
    "Ändern Sie die Liste und veröffentlichen Sie sie. Ein Leser folgt ihr und erfährt es sofort; der andere fragt, wenn Sie es sagen, und bekommt alles Versäumte in einer einzigen Antwort.",
  "Sent to both readers": "An beide Leser gesendet",
  "Nothing yet. Publish, change something and publish again, or let a story do it.":
    "Noch nichts. Veröffentlichen Sie, ändern Sie etwas und veröffentlichen Sie noch einmal, oder lassen Sie es eine Geschichte tun.",
  "Three stories": "Drei Geschichten",
  "One change": "Eine Änderung",
  "in a list of 200": "in einer Liste von 200",
  "A week away": "Eine Woche fort",
  "21 versions, one answer": "21 Fassungen, eine Antwort",
  "A thousand readers": "Tausend Leser",
  "who want to know what is new": "die wissen wollen, was neu ist",
  "Publisher": "Herausgeber",
  "Expand": "Vergrößern",
  "Shrink": "Verkleinern",
  "Feed": "Feed",
  "Small letters a to z, digits, and . _ - between them":
    "Kleine Buchstaben von a bis z, Ziffern, und dazwischen . _ -",
  "Key": "Schlüssel",
  "printed by the server": "der Server zeigt ihn",
  "Change the list": "Die Liste ändern",
  "Add": "Hinzufügen",
  "Change": "Ändern",
  "Move": "Verschieben",
  "Remove": "Entfernen",
  "The list, as JSON": "Die Liste als JSON",
  "Publish": "Veröffentlichen",
  "Reader that follows": "Leser, der folgt",
  "One stream. A change arrives as soon as it is published.":
    "Ein Datenstrom. Eine Änderung kommt an, sobald sie veröffentlicht ist.",
  "Items": "Einträge",
  "Reader that asks": "Leser, der fragt",
  "Ask": "Fragen",
  "Publish a few times, then ask: one answer brings it up to date.":
    "Veröffentlichen Sie einige Male und fragen Sie dann: Eine Antwort bringt ihn auf den Stand.",
  "and {more} more": "und {more} weitere",
  "Nothing published yet": "Noch nichts veröffentlicht",
  "live": "live",
  "idle": "ruht",
  "refreshing": "aktualisiert",
  "offline": "offline",
  "refused": "abgewiesen",
  "Copy": "Kopieren",
  "Copied": "Kopiert",
  "Selected": "Markiert",
  "304: nothing new, and no body": "304: nichts Neues und kein Inhalt",
  "{size} bytes in place of {whole}": "{size} statt {whole} Bytes",
  "{sent} bytes of changes, where snapshots would have been {whole}: {less} % less.":
    "{sent} Bytes an Änderungen, wo ganze Stände {whole} gewesen wären: {less} % weniger.",
  "{sent} bytes in place of {whole}: {less} % less": "{sent} statt {whole} Bytes: {less} % weniger",
  "There is nothing to change.": "Es gibt nichts zu ändern.",
  "There is nothing to move.": "Es gibt nichts zu verschieben.",
  "There is nothing to remove.": "Es gibt nichts zu entfernen.",
  "Now publish it.": "Jetzt veröffentlichen Sie sie.",
  "Added “{id}”.": "„{id}“ hinzugefügt.",
  "Changed “{id}” to {state}.": "„{id}“ geändert: {state}.",
  "Moved “{id}” to the end.": "„{id}“ ans Ende verschoben.",
  "Removed “{id}”.": "„{id}“ entfernt.",
  "This is no list that can be changed: {message}":
    "Diese Liste lässt sich nicht ändern: {message}",
  "it has neither sections nor items with an id each.":
    "sie hat weder Abschnitte noch Einträge mit je einer id.",
  "The server cannot be reached. Is it running? Publish again when it is: what arrived the first time is not published twice.":
    "Der Server ist nicht zu erreichen. Läuft er? Veröffentlichen Sie dann noch einmal: Was beim ersten Mal ankam, wird nicht zweimal veröffentlicht.",
  "The server does not know this key. It prints its own when it starts.":
    "Der Server kennt diesen Schlüssel nicht. Beim Start zeigt er seinen eigenen.",
  "This key may not publish to this feed.":
    "Mit diesem Schlüssel darf in diesem Feed nichts veröffentlicht werden.",
  "The server cannot say whether that was published. Publish it again: it is not published twice.":
    "Der Server kann nicht sagen, ob das veröffentlicht wurde. Veröffentlichen Sie es noch einmal: Es wird nicht zweimal veröffentlicht.",
  "That did not work": "Das hat nicht geklappt",
  "Line {line}, column {column}: {said}": "Zeile {line}, Spalte {column}: {said}",
  "Line {line}: {said}": "Zeile {line}: {said}",
  "Published. It was the same before, and so there is no new version.":
    "Veröffentlicht. Es war vorher dasselbe, daher gibt es keine neue Fassung.",
  "Published: {what}.": "Veröffentlicht: {what}.",
  "{count} new": "{count} neu",
  "{count} moved": "{count} verschoben",
  "{count} changed": "{count} geändert",
  "{count} gone": "{count} entfernt",
  "other sections": "andere Abschnitte",
  "another title": "ein anderer Titel",
  "A publisher sends a list of {count} items.":
    "Ein Herausgeber sendet eine Liste von {count} Einträgen.",
  "One item changed. The publisher sends the whole list again; what differs the server finds out.":
    "Ein Eintrag hat sich geändert. Der Herausgeber sendet wieder die ganze Liste; was anders ist, findet der Server heraus.",
  "A reader that had the list asks what is new since.":
    "Ein Leser, der die Liste hatte, fragt, was seither neu ist.",
  "A week goes by: the list is published three times a day, each time with a change. The reader that follows hears of each.":
    "Eine Woche vergeht: Dreimal am Tag wird die Liste veröffentlicht, jedes Mal mit einer Änderung. Der Leser, der folgt, erfährt von jeder.",
  "The other one was away. It asks once, and gets all that it missed in one answer.":
    "Der andere war fort. Er fragt einmal und bekommt alles Versäumte in einer Antwort.",
  "A thousand readers ask, and nothing is new: {bytes} bytes of content in {seconds} s.":
    "Tausend Leser fragen, und nichts ist neu: {bytes} Bytes an Inhalt in {seconds} s.",
  "One item changes.": "Ein Eintrag ändert sich.",
  "All thousand ask what is new, and are told in {seconds} s.":
    "Alle tausend fragen, was neu ist, und erfahren es in {seconds} s.",
  "Every class, running, with its code.": "Jede Klasse in Betrieb, mit ihrem Code.",
  "Custom elements over the browser’s own scrolling. They know no feed and need nothing else.":
    "Eigene Elemente über dem Scrollen des Browsers. Sie kennen keinen Feed und brauchen sonst nichts.",
  "Classes": "Klassen",
  "The code of {title}": "Der Code von {title}",
  "Rows that are made when they are in sight: here 100,000. Arrow keys move, Enter selects.":
    "Zeilen, die entstehen, wenn sie in Sicht sind: hier 100.000. Pfeiltasten bewegen, die Eingabetaste wählt aus.",
  "The styles of a cell, in a static table.": "Die Arten einer Zelle, in einer festen Tabelle.",
  "A list is given whole; what differs comes, goes and moves.":
    "Eine Liste wird ganz übergeben; was anders ist, kommt, geht und bewegt sich.",
  "Names under their letters, as their language has them. Drag along the letters.":
    "Namen unter ihren Buchstaben, wie ihre Sprache sie ordnet. Ziehen Sie an den Buchstaben entlang.",
  "A finger swipes a row; keys do the same.":
    "Ein Finger wischt über eine Zeile; Tasten tun dasselbe.",
  "Pull the list down with a finger, or press the button.":
    "Ziehen Sie die Liste mit einem Finger herunter, oder drücken Sie den Knopf.",
  "A look of one’s own: the header sticks, the wheel is below it.":
    "Ein eigenes Aussehen: Der Kopf bleibt stehen, das Rad ist darunter.",
  "Pages, from side to side.": "Seiten, von einer zur anderen.",
  "Two fingers, a double tap, or Ctrl and the wheel.":
    "Zwei Finger, ein Doppeltipp, oder Strg und das Rad.",
  "Something that is operated: by touch, mouse, pen and keys.":
    "Etwas, das bedient wird: mit Finger, Maus, Stift und Tasten.",
  "A wheel, and words for those who do not see it.":
    "Ein Rad, und Worte für alle, die es nicht sehen.",
  "Requests": "Anfragen",
  "What this server answers, as": "Was dieser Server beantwortet, als",
  "Loading …": "Lädt …",
  "Documents": "Dokumente",
};
