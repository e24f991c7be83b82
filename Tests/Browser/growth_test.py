"""A page that is open for long: what many changes leave behind."""

import os

from feeds import Publisher, rows
from harness import DESKTOP, BrowserTest, Freshet
from reader_page import SHOWN, STATE


# How many; 1,000 take most of a minute.
CHANGES = int(os.environ.get("CHANGES", "200"))


class ManyChanges(BrowserTest):
    seconds = 40

    def test_leave_as_many_nodes_and_listeners_as_there_were(self):
        server = self.enterContext(Freshet())
        publisher = Publisher(server)
        publisher.put("news", rows(50))
        page = self.open(f"{server.url}/#news", **DESKTOP)
        self.wait(page, SHOWN, "Row 0")
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "live")
        session = page.context.new_cdp_session(page)

        def count():
            session.send("HeapProfiler.collectGarbage")
            counters = session.send("Memory.getDOMCounters")
            return counters["nodes"], counters["jsEventListeners"]

        def change(first, last):
            for number in range(first, last):
                items = rows(50)
                items[number % 50]["value"] = str(number)
                # One comes and goes, one moves.
                items[:0] = rows(1, "late", number)
                items.append(items.pop(7))
                publisher.put("news", items)
                if number % 20 == 19:
                    self.wait(page, SHOWN, f"Late {number}")
            self.still(page, "table-view")

        change(0, 40)
        nodes, listeners = count()
        change(40, 40 + CHANGES)
        later = count()
        self.assertLessEqual(later[0], nodes * 1.1)
        self.assertLessEqual(later[1], listeners + 2)
