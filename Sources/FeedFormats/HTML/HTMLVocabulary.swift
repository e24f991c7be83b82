/// The elements and attributes of HTML that an item may have.
enum HTMLVocabulary {
    static let voidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track",
        "wbr",
    ]

    /// The elements that are kept, with their attributes that are kept beside ``globalAttributes``.
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
            // Elements of MathML that only draw.
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

    /// The schemes that links may have; other addresses may have `http` and `https` only.
    static let linkSchemes: Set<String> = [
        "http", "https", "mailto", "tel", "sms", "geo", "xmpp", "ftp", "irc", "ircs", "news",
    ]

    /// Elements that are removed with their content.
    static let dropped: Set<String> = [
        "script", "style", "applet", "template", "svg", "frameset", "title", "annotation",
        "annotation-xml", "head",
    ]

    /// Elements that are removed, while their fallback content is kept.
    static let replaced: Set<String> = ["iframe", "object", "noframes", "noembed"]

    /// Elements that show something from another address; links replace them.
    static let players: Set<String> = ["iframe", "object", "embed", "param"]

    /// Elements that are removed, while their content is kept as it is spelled.
    static let verbatim: Set<String> = ["textarea", "xmp", "plaintext"]

    /// Elements whose end tag is looked for: all that are removed; `noscript`, whose content
    /// repeats what scripts show; and elements whose start tag is plain text unless an end tag
    /// follows.
    static let seekingEndTag = dropped.union(replaced).union(verbatim)
        .union(["noscript", "select", "video", "audio"])

    /// The elements that may be in a head (HTML Standard §4.2.1); any other one ends it.
    static let ofHead: Set<String> = [
        "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
        "template", "title",
    ]

    /// Elements that do not belong to SVG or MathML, and end these (HTML Standard §13.2.6.5).
    static let endsForeign: Set<String> = [
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
        "embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing",
        "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike",
        "sub", "sup", "table", "tt", "u", "ul", "var",
    ]

    /// Elements of SVG and MathML that may hold HTML.
    static let holdsHTML: Set<String> = [
        "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext",
    ]

    /// Elements without markup in them (HTML Standard §13.1.2); unlike there, frames have markup
    /// here.
    static let rawText = verbatim.union(["script", "style", "title"])

    /// Elements that begin and end a line when HTML becomes text.
    static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "br", "center", "dd", "details", "dir", "div",
        "dl", "dt", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
        "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tr", "ul",
    ]

    /// All names that have any property here.
    static var names: Set<String> {
        let parts: [Set<String>] = [
            voidElements, seekingEndTag, players, ofHead, endsForeign, holdsHTML, rawText, blocks,
            markup,
            HTMLOpenElements.formatting, HTMLOpenElements.endsParagraph,
        ]
        return parts.reduce(Set(elements.keys).union(HTMLOpenElements.bits.keys)) { $0.union($1) }
    }

    /// Elements whose tags are removed and whose content is kept; a text with such a tag is HTML.
    private static let markup: Set<String> = [
        "form", "button", "label", "noscript", "html", "body", "fieldset",
    ]

    /// Returns whether a text with a tag of this name is HTML.
    static func isElement(_ name: String) -> Bool {
        elements[name] != nil || seekingEndTag.contains(name) || voidElements.contains(name)
            || markup.contains(name) || isPrefixed(name)
    }

    /// Returns whether a name is an element of an office program's XML, such as `o:p`; `https:` and
    /// the like are not.
    private static func isPrefixed(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                part.first?.isASCIILetter == true
                    && part.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F }
            }
    }
}
