"""Changes of every kind at random: the table shows what it should, at any time."""

from harness import PHONE, SECONDS, SEED, BrowserTest


class RandomChanges(BrowserTest):
    def test_the_table_shows_what_it_should(self):
        page = self.open("/pages/random.html", **PHONE)
        rounds = page.evaluate("([seed, seconds]) => randomDiffs(seed, seconds)", [SEED, SECONDS])
        self.assertGreater(rounds, 10)
        print(f"{rounds} rounds")
