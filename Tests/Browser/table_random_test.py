"""Changes of every kind at random: the table shows what it should, at any time."""

from harness import PHONE, SECONDS, SEED, BrowserTest


class RandomChanges(BrowserTest):
    def run_rounds(self, row_height):
        page = self.open("/pages/random.html", **PHONE)
        rounds = page.evaluate("([seed, seconds, height]) => randomDiffs(seed, seconds, height)",
                               [SEED, SECONDS, row_height])
        self.assertGreater(rounds, 5)
        print(f"{rounds} rounds")

    def test_the_table_shows_what_it_should(self):
        self.run_rounds(0)

    def test_also_where_it_is_higher_than_a_browser_shows(self):
        self.run_rounds(150_000)
