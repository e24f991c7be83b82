"""Cells, what they look like and what selects them: docs/UI.md, "TableView"."""

from harness import DESKTOP, PHONE, BrowserTest


class Cells(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/controls.html", **PHONE)

    def test_of_ones_own_are_divided_as_others(self):
        self.assertEqual(self.page.evaluate("""() => {
          class OwnCell extends TableViewCell {}
          customElements.define("own-cell", OwnCell);
          window.table = makeTable([3]);
          // A cell of a kind that is registered later is not used again.
          table.register(OwnCell, "third");
          table.reloadData();
          return table.visibleCells.map((cell) => [cell.localName,
            getComputedStyle(cell, "::before").borderBlockEndWidth]);
        }"""), [["own-cell", "1px"], ["table-view-cell", "1px"], ["table-view-cell", "1px"]])

    def test_keep_their_words_away_from_the_accessory(self):
        gaps = self.page.evaluate("""() => ["checkmark", "disclosureIndicator"].map((accessory) => {
          window.table = makeTable([1]);
          const [cell] = table.visibleCells;
          cell.accessory = accessory;
          cell.cellStyle = "value1";
          cell.detailTextLabel.textContent = "a value at the end of the row";
          const after = getComputedStyle(cell, "::after");
          const room = cell.clientWidth - parseFloat(getComputedStyle(cell).paddingRight);
          return room - cell.contentView.getBoundingClientRect().right;
        })""")
        # Its own width, and a space before it.
        for gap in gaps:
            self.assertGreater(gap, 18)

    def test_hide_a_picture_that_does_not_come(self):
        self.page.evaluate("""() => {
          window.table = makeTable([2]);
          [window.bad, window.good] = table.visibleCells.map(({ imageView }) => imageView);
          bad.src = "/nothing.png";
          good.src = "/icon.png";
        }""")
        self.wait(self.page, "bad.complete && good.complete && good.naturalWidth > 0")
        self.wait(self.page, "getComputedStyle(bad).display === 'none'")
        self.assertEqual(self.page.evaluate("getComputedStyle(good).display"), "block")
        self.page.evaluate("bad.src = '/icon.png'")
        self.wait(self.page, "getComputedStyle(bad).display === 'block'")

    def test_are_as_high_as_the_pictures_that_come_and_that_do_not(self):
        self.page.evaluate("""() => {
          window.table = makeTable([4]);
          window.pictures = ["/nothing.png", "/icon.png"].map((source, row) => {
            const picture = document.createElement("img");
            // One is removed, as pages do, and the other one takes its own room.
            if (row === 0) Object.assign(picture, { width: 90, height: 90 });
            picture.onerror = () => picture.remove();
            const place = document.createElement("div");
            place.append(picture);
            table.visibleCells[row].contentView.append(place);
            return picture;
          });
          pictures.forEach((picture, row) => { picture.src = ["/nothing.png", "/icon.png"][row]; });
        }""")
        self.wait(self.page, "!pictures[0].isConnected && pictures[1].naturalWidth > 0")
        self.wait(self.page, """() => {
          const places = table.visibleCells.map((cell) => cell.getBoundingClientRect());
          return places[1].height > 100 && places[0].height < 90
            && places.every(({ top }, row) => row === 0
              || Math.abs(top - places[row - 1].bottom) < 1);
        }""")


class Selecting(BrowserTest):
    def test_words_by_a_mouse_does_not_choose_the_row(self):
        page = self.open("/pages/controls.html", **DESKTOP)
        page.evaluate("""() => {
          window.table = makeTable([5]);
          window.chosen = [];
          table.delegate = { performPrimaryAction: ({ row }) => chosen.push(row) };
        }""")
        box = page.locator("table-view-cell span").first.bounding_box()
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 1, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 1, y, steps=5)
        page.mouse.up()
        self.assertNotEqual(page.evaluate("String(getSelection())"), "")
        self.assertEqual(page.evaluate("chosen"), [])
        # A click ends the selection, and is one.
        page.mouse.click(600, y)
        self.assertEqual(page.evaluate("chosen"), [0])


class Index(BrowserTest):
    def test_comes_and_goes_as_it_is_said(self):
        page = self.open("/pages/controls.html", **PHONE)
        counts = page.evaluate("""() => {
          window.table = makeTable([20, 20]);
          table.dataSource.sectionIndexTitles = () => ["A", "B"];
          table.reloadData();
          const bars = () => table.querySelectorAll("index-bar").length;
          const seen = [bars()];
          for (const mode of ["alwaysHidden", "automatic", "alwaysHidden"]) {
            table.indexDisplayMode = mode;
            seen.push(bars());
          }
          return [...seen, table.classList.contains("ui-indexed")];
        }""")
        self.assertEqual(counts, [1, 0, 1, 0, False])
