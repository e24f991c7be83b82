/// What of HTML may be in an item.
enum HTMLVocabulary {
    static let voidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track",
        "wbr",
    ]

    /// Elements that stay, with the attributes that stay of them beside ``globalAttributes``.
    static let elements: [String: Set<String>] = {
        var elements: [String: Set<String>] = [
            "a": ["href", "hreflang", "type"],
            "audio": ["src", "controls"],
            "blockquote": ["cite"],
            "col": ["span"], "colgroup": ["span"],
            "del": ["cite", "datetime"],
            "details": ["open"],
            "img": ["src", "srcset", "sizes", "alt", "width", "height", "longdesc"],
            "ins": ["cite", "datetime"],
            "li": ["value"],
            "ol": ["start", "reversed", "type"],
            "q": ["cite"],
            "source": ["src", "srcset", "sizes", "type", "media"],
            "td": ["colspan", "rowspan", "headers", "align"],
            "th": ["colspan", "rowspan", "headers", "scope", "abbr", "align"],
            "time": ["datetime"],
            "track": ["src", "kind", "srclang", "label"],
            "video": ["src", "poster", "controls", "width", "height"],
        ]
        let plain =
            "abbr acronym address article aside b bdi bdo big br caption center cite code data dd"
            + " dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i kbd"
            + " main mark nav p picture pre rp rt ruby s samp section small span strike strong sub"
            + " summary sup table tbody tfoot thead tr tt u ul var wbr dir font"
            // MathML that only draws.
            + " math mi mn mo ms mtext mspace mrow mfrac msqrt mroot msub msup msubsup munder mover"
            + " munderover mmultiscripts mprescripts mtable mtr mtd mpadded mphantom mstyle merror"
        for name in plain.split(separator: " ") where elements[String(name)] == nil {
            elements[String(name)] = []
        }
        return elements
    }()

    static let globalAttributes = ["dir", "lang", "title"]

    /// Attributes that are addresses.
    static let addresses = ["href", "src", "cite", "poster", "longdesc"]

    /// Schemes of links; other addresses are of `http` and `https` alone.
    static let linkSchemes: Set<String> = [
        "http", "https", "mailto", "tel", "sms", "geo", "xmpp", "ftp", "irc", "ircs", "news",
    ]

    /// Elements that go with all that is in them.
    static let dropped: Set<String> = [
        "script", "style", "applet", "template", "svg", "frameset", "title", "annotation",
        "annotation-xml", "head",
    ]

    /// Elements that go, while what stands in for them stays.
    static let replaced: Set<String> = ["iframe", "object", "noframes", "noembed"]

    /// Elements that show what is elsewhere; links take their places.
    static let players: Set<String> = ["iframe", "object", "embed", "param"]

    /// Elements that go, while what is in them stays as it is spelled.
    static let verbatim: Set<String> = ["textarea", "xmp", "plaintext"]

    /// Elements whose extent counts: those, the one that repeats what scripts show, and the one
    /// that is text where it holds nothing.
    static let measured = dropped.union(replaced).union(verbatim)
        .union(["noscript", "select", "video", "audio"])

    /// What may be in a head (HTML Standard §4.2.1); anything else ends it.
    static let ofHead: Set<String> = [
        "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
        "template", "title",
    ]

    /// Elements that are no SVG or MathML, and end these (HTML Standard §13.2.6.5).
    static let endsForeign: Set<String> = [
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
        "embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing",
        "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike",
        "sub", "sup", "table", "tt", "u", "ul", "var",
    ]

    /// Elements of SVG and MathML in which there may be HTML.
    static let holdsHTML: Set<String> = [
        "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext",
    ]

    /// Elements in which there is no markup (HTML Standard §13.1.2); frames have some here.
    static let rawText = verbatim.union(["script", "style", "title"])

    /// Elements between which text has line breaks.
    static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "br", "center", "dd", "details", "dir", "div",
        "dl", "dt", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
        "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tr", "ul",
    ]

    /// All names of which anything is known.
    static var names: Set<String> {
        let parts: [Set<String>] = [
            voidElements, measured, players, ofHead, endsForeign, holdsHTML, rawText, blocks,
            markup,
            HTMLOpenElements.formatting, HTMLOpenElements.endsParagraph,
        ]
        return parts.reduce(Set(elements.keys).union(HTMLOpenElements.bits.keys)) { $0.union($1) }
    }

    /// Elements that go without what is in them, but make a text HTML.
    private static let markup: Set<String> = [
        "form", "button", "label", "noscript", "html", "body", "fieldset",
    ]

    /// Whether a text that has such a tag is HTML.
    static func isElement(_ name: String) -> Bool {
        elements[name] != nil || measured.contains(name) || voidElements.contains(name)
            || markup.contains(name) || isPrefixed(name)
    }

    /// Whether a name is one of an office's XML, `o:p`; `https:` and the like are none.
    private static func isPrefixed(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                part.first?.isASCIILetter == true
                    && part.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F }
            }
    }
}
