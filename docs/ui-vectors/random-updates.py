"""Makes `random-updates.json`: batches of every kind at random, and what holds after them.

`random-updates.py > random-updates.json` makes the same file each time. What is expected comes from a
model in here, which knows nothing of the code that the cases test.
"""

import json
import random

HEIGHT, ROW, HEADER = 400, 50, 30


def paths(sections):
    return {name: (number, row) for number, section in enumerate(sections)
            for row, name in enumerate(section["rows"])}


def text(path):
    return f"{path[0]}.{path[1]}"


def header(section):
    return HEADER if "title" in section else 0


def content_height(sections):
    return sum(header(section) + ROW * len(section["rows"]) for section in sections)


def top(sections, path):
    number, row = path
    return content_height(sections[:number]) + header(sections[number]) + ROW * row


def ascending(numbers):
    """A longest ascending subsequence."""
    best = []
    for number in numbers:
        before = max((one for one in best if one[-1] < number), key=len, default=[])
        best.append([*before, number])
    return max(best, key=len, default=[])


def moved(old, new):
    """What stands elsewhere among what is in both lists."""
    places = [old.index(one) for one in new if one in old]
    kept = ascending(places)
    return [old[place] for place in places if place not in kept]


def varied(draw, sections, fresh):
    """The sections with some rows and sections gone, come or moved."""
    after = [{**section, "rows": list(section["rows"])} for section in sections]
    for _ in range(draw.randrange(1, 6)):
        if after and draw.random() < 0.85:
            source, target = draw.choice(after), draw.choice(after)
            taken = []
            if source["rows"]:
                start = draw.randrange(len(source["rows"]))
                count = draw.choice([1, 1, 1, 3, 8])
                taken = source["rows"][start:start + count]
                del source["rows"][start:start + count]
            place = draw.randrange(len(target["rows"]) + 1)
            if draw.random() < 0.6:
                target["rows"][place:place] = taken
            if draw.random() < 0.5:
                target["rows"][place:place] = [next(fresh) for _ in range(draw.randrange(1, 4))]
    if len(after) > 1 and draw.random() < 0.3:
        after.insert(draw.randrange(len(after)), after.pop(draw.randrange(len(after))))
    if len(after) > 1 and draw.random() < 0.25:
        gone = after.pop(draw.randrange(len(after)))
        if draw.random() < 0.5:
            draw.choice(after)["rows"].extend(gone["rows"][:2])
    if draw.random() < 0.3:
        rows = [next(fresh) for _ in range(draw.randrange(4))]
        giver = draw.choice(after)["rows"] if after else []
        rows += [giver.pop() for _ in range(min(len(giver), draw.randrange(3)))]
        come = {"id": f"S{next(fresh)}", "rows": rows}
        if draw.random() < 0.6:
            come["title"] = come["id"]
        after.insert(draw.randrange(len(after) + 1), come)
    return after


def batch_between(draw, before, after):
    """The updates that lead from one to the other, and the rows that were moved or reloaded."""
    old, new = [[section["id"] for section in sections] for sections in (before, after)]
    was, now = paths(before), paths(after)
    section_moves = moved(old, new)
    batch = {
        "deleteSections": [number for number, one in enumerate(old) if one not in new],
        "insertSections": [number for number, one in enumerate(new) if one not in old],
        "moveSections": [[old.index(one), new.index(one)] for one in section_moves],
    }
    shifted = set()
    for name in was.keys() & now.keys():
        if old[was[name][0]] != new[now[name][0]]:
            shifted.add(name)
    for one in set(old) & set(new):
        rows = [[name for name in sections[ids.index(one)]["rows"] if name not in shifted]
                for sections, ids in ((before, old), (after, new))]
        shifted.update(moved(*rows))
    batch["deleteRows"] = [text(path) for name, path in was.items()
                           if name not in now and old[path[0]] in new]
    batch["insertRows"] = [text(path) for name, path in now.items()
                           if name not in was and new[path[0]] in old]
    batch["moveRows"] = [[text(was[name]), text(now[name])] for name in was if name in shifted]
    stay = [name for name in was if name in now]
    reloaded = draw.sample(stay, min(len(stay), draw.choice([0, 0, 1, 2])))
    batch["reloadRows"] = [text(was[name]) for name in reloaded]
    for kind in ("deleteRows", "insertRows"):
        draw.shuffle(batch[kind])
    whole = {name for name in was if old[was[name][0]] in section_moves}
    return {kind: list_ for kind, list_ in batch.items() if list_}, shifted | whole


def offset_after(before, after, offset, shifted):
    """Where the content is when what the reader sees stays where it is."""
    was, now = paths(before), paths(after)
    end = max(0, content_height(after) - HEIGHT)
    if offset <= 0:
        return 0
    names = list(was)
    places = [top(before, was[name]) for name in names]
    seen = [name for name, place in zip(names, places)
            if name in now and place < offset + HEIGHT and place + ROW > offset]
    below = [name for name, place in zip(names, places) if name in now and place + ROW > offset]
    above = [name for name in names if name in now]
    still = [name for name in seen if name not in shifted]
    eye = next(iter(still or seen or below or above[-1:]), None)
    if eye is not None:
        offset += top(after, now[eye]) - top(before, was[eye])
    return max(0, min(offset, end))


def in_sight(sections, offset):
    return [name for name, path in paths(sections).items()
            if top(sections, path) < offset + HEIGHT and top(sections, path) + ROW > offset]


def first_sections(draw, fresh):
    sections = [{"id": one, "rows": [next(fresh) for _ in range(draw.choice([0, 3, 12, 40]))]}
                for one in "ABCD"]
    for section in sections:
        if draw.random() < 0.6:
            section["title"] = section["id"]
    return sections


def make_batches(seed):
    draw = random.Random(seed)
    fresh = (f"n{number}" for number in range(10_000))
    sections = first_sections(draw, fresh)
    view = {"type": "TableView", "size": [300, HEIGHT], "sections": sections,
            "set": {"allowsMultipleSelection": True}}
    steps, selected, offset = [], [], 0
    for _ in range(10):
        if draw.random() < 0.5:
            offset = draw.randrange(0, max(1, content_height(sections) - HEIGHT + 1))
            steps.append({"call": ["setContentOffset", [0, offset]]})
        names = [name for name in paths(sections) if name not in selected]
        if len(selected) < 3 and names:
            selected.append(draw.choice(names))
            steps.append({"call": ["selectRow", text(paths(sections)[selected[-1]])]})
        after = varied(draw, sections, fresh)
        batch, shifted = batch_between(draw, sections, after)
        offset = offset_after(sections, after, offset, shifted)
        sections = after
        now = paths(sections)
        selected = [name for name in selected if name in now]
        steps.append({"batch": batch, "to": sections, "expect": {
            "counts": [len(section["rows"]) for section in sections],
            "contentOffset": [0, offset], "names": in_sight(sections, offset),
            "selected": [text(now[name]) for name in selected],
            "contentSize": [None, content_height(sections)]}})
    return {"name": f"Batches at random, {seed}", "follows": "UI.md: TableView", "view": view,
            "steps": steps}


def make_snapshots(seed):
    draw = random.Random(seed)
    fresh = (f"n{number}" for number in range(10_000))
    sections = first_sections(draw, fresh)
    view = {"type": "TableView", "size": [300, HEIGHT], "source": "diffable", "sections": sections}
    steps, selected = [], None
    for _ in range(8):
        now = paths(sections)
        if selected not in now and now:
            selected = draw.choice(list(now))
            steps.append({"call": ["selectRow", text(now[selected])]})
        before = now
        for _ in range(draw.randrange(1, 4)):
            sections = varied(draw, sections, fresh)
        now = paths(sections)
        step = {"apply": sections}
        kept = [name for name in before if name in now]
        if kept and draw.random() < 0.5:
            step[draw.choice(["reload", "reconfigure"])] = draw.sample(kept, min(2, len(kept)))
        if draw.random() < 0.5:
            step["animated"] = True
        known = draw.sample(list(now), min(3, len(now)))
        step["expect"] = {
            "sections": [{"id": one["id"], "rows": one["rows"]} for one in sections],
            "counts": [len(section["rows"]) for section in sections],
            "contentOffset": [0, 0], "names": in_sight(sections, 0),
            "selected": [text(now[selected])] if selected in now else [],
            "indexPaths": {name: text(now[name]) for name in known}}
        steps.append(step)
    return {"name": f"Snapshots at random, {seed}", "follows": "UI.md: DiffableDataSource",
            "view": view, "steps": steps}


def shortened(names):
    """The names with runs as ranges."""
    runs = []
    for name in names:
        number = int(name[1:])
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"n{first}" if first == last else f"n{first}..n{last}" for first, last in runs]


def written(value, key=""):
    if isinstance(value, dict):
        return {name: written(one, name) for name, one in value.items()}
    if key in ("rows", "names"):
        return shortened(value)
    return [written(one) for one in value] if isinstance(value, list) else value


def main():
    cases = []
    for make, seed in [*((make_batches, seed) for seed in range(1, 21)),
                       *((make_snapshots, seed) for seed in range(1, 11))]:
        case = written(make(seed))
        steps = ",\n ".join(json.dumps(step) for step in case.pop("steps"))
        head = json.dumps(case)[1:-1].replace(', "view"', ',\n "view"')
        cases.append(f'{{{head}, "steps": [\n {steps}]}}')
    print('{"about": "Batches and snapshots of every kind at random; made by random-updates.py.", "cases": [')
    print(",\n".join(cases) + "\n]}")


if __name__ == "__main__":
    main()
