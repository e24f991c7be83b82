"""What becomes of markup in items: docs/WEB.md, "The pages that come with it"."""

from harness import DESKTOP, BrowserTest


class Hostile(BrowserTest):
    """Whatever an item's markup is, what is shown is made of what is allowed."""

    MARKUP = [
        "<script>top.hit=1</script><p>after", "<img src=x onerror=top.hit=1>a picture",
        "<svg onload=top.hit=1><script>top.hit=1</script><a xlink:href=javascript:top.hit=1>x</a></svg>",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=top.hit=1&gt;'>",
        "<iframe srcdoc='<script>top.hit=1</script>'></iframe><object data=x></object><embed src=x>",
        "<a href='javascript:top.hit=1'>a</a><a href=' java\nscript:top.hit=1'>b</a><a href=data:text/html,x>c</a>",
        "<form action=/feeds><input name=a autofocus onfocus=top.hit=1><button>go</button></form>",
        "<base href=https://evil.example/><link rel=stylesheet href=/x.css><meta http-equiv=refresh content='0;url=/x'>",
        "<style>*{display:none}</style><p style='position:fixed;inset:0' class=x id=title>styled",
        "<template><img src=x onerror=top.hit=1></template><noscript><p title='</noscript><img src=x onerror=top.hit=1>'>",
        "<p onclick=top.hit=1 onmouseover=top.hit=1 dir=rtl>p<video src=x onerror=top.hit=1><audio src=x>",
        "<textarea></textarea><img src=x onerror=top.hit=1></textarea>", "<div>" * 5000 + "deep",
        "<details open ontoggle=top.hit=1><summary>s</summary>d</details>", "<![CDATA[<x>]]><?php x ?><!-- <b>c</b> -->",
        "<a href='https://example.org/' target=_top ping=/x>ok</a><img src='https://example.org/i.png' alt='river'>",
        "<x-y onclick=top.hit=1>custom</x-y><plaintext><img src=x onerror=top.hit=1>", "<h1>big</h1>",
    ]

    def test_markup_runs_nothing_loads_nothing_and_leaves_nothing_odd(self):
        page = self.open("/pages/controls.html", **DESKTOP)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        known = page.evaluate("""async (all) => {
          const { ItemPane, sanitized } = await import("/reader/ItemPane.js");
          const [place, odd, frames] = [document.createElement("section"), [], []];
          document.body.append(place);
          const pane = new ItemPane(place, { close() {}, step() {}, pressed() {} });
          const names = new Set();
          const check = (root, number) => {
            for (const one of root.querySelectorAll("*")) {
              names.add(one.localName);
              for (const { name, value } of one.attributes) {
                const isKnown = /^(href|target|rel|class|dir|lang|title|open|colspan|rowspan|start|value|datetime|reversed)$/
                  .test(name);
                const isSafe = name !== "href" || /^(https?|mailto):/.test(value);
                if (!isKnown || !isSafe) odd.push([number, one.localName, name, value]);
              }
            }
          };
          for (const [number, markup] of all.entries()) {
            check(sanitized(markup, "https://example.org/a", document), number);
            await pane.show({ id: String(number), content_html: markup }, { direction: "ltr", settings: {} });
            const frame = place.querySelector("iframe");
            await new Promise((resolve) => frame.addEventListener("load", resolve));
            check(frame.contentDocument.body, number);
            frames.push([frame.getAttribute("sandbox").includes("scripts"),
              frame.contentDocument.querySelector("meta[http-equiv]").content.startsWith("default-src 'none'")]);
          }
          return { odd, names: [...names], frames, hit: window.hit ?? null };
        }""", self.MARKUP)
        self.assertEqual(known["odd"], [])
        self.assertIsNone(known["hit"])
        self.assertEqual(set(map(tuple, known["frames"])), {(False, True)})
        for name in ("script", "style", "iframe", "svg", "math", "img", "form", "input", "object",
                     "link", "meta", "base", "template", "video", "x-y"):
            self.assertNotIn(name, known["names"])
        outside = [url for url in asked if not url.startswith(self.files.url)]
        self.assertEqual(outside, [])
        self.assertFalse([url for url in asked if url.endswith(("/x", "/x.css"))])

    def test_what_is_allowed_stays(self):
        page = self.open("/pages/controls.html", **DESKTOP)
        made = page.evaluate("""async () => {
          const { sanitized } = await import("/reader/ItemPane.js");
          const place = document.createElement("div");
          place.append(sanitized("<h1>T</h1><p>on <b>a</b> <font>b</font><a href='/x'>c</a></p>"
            + "<img src=i.png alt='river'><ol start=3><li>d</ol>", "https://example.org/a/b", document));
          return place.innerHTML;
        }""")
        self.assertEqual(made, '<h2>T</h2><p>on <b>a</b> b<a href="https://example.org/x" '
                         'target="_blank" rel="noopener noreferrer">c</a></p>'
                         '<a href="https://example.org/a/i.png" target="_blank" '
                         'rel="noopener noreferrer" class="picture">river</a>'
                         '<ol start="3"><li>d</li></ol>')
