"""Publishes a price board, made up, whole every second or so: python3 publish.py URL KEY"""

import asyncio
import random
import sys

from freshet import AsyncClient

GOODS = {
    "Fruit": {"Apples": 2.40, "Apricots": 5.90, "Cherries": 8.50, "Pears": 3.10, "Plums": 3.80},
    "Vegetables": {"Beans": 4.20, "Carrots": 1.60, "Kale": 2.90, "Leek": 2.20, "Tomatoes": 3.40},
    "Fish": {"Cod": 24.00, "Herring": 9.80, "Mackerel": 13.50, "Trout": 17.20},
}


def board(prices):
    """The feed as it is published: a section for each kind of goods."""
    return {"title": "Market prices", "unit": "€ a kilogram", "sections": [
        {"id": kind.lower(), "title": kind, "items": [
            {"id": name.lower(), "kind": "price", "name": name, "price": f"{prices[name]:.2f}"}
            for name in goods]}
        for kind, goods in GOODS.items()]}


async def main(url, key):
    prices = {name: price for goods in GOODS.values() for name, price in goods.items()}
    async with AsyncClient(url, key) as client:
        while True:
            await client.put("prices", board(prices))
            await asyncio.sleep(random.uniform(0.6, 1.6))
            for name in random.sample(sorted(prices), random.choice([1, 1, 2, 3])):
                prices[name] = max(0.5, round(prices[name] * random.uniform(0.97, 1.03), 2))


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        pass
