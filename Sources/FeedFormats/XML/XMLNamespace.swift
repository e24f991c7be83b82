/// The vocabularies that feeds use.
enum XMLNamespace: Sendable {
    /// RSS 0.9x and 2.0, which have no namespace, and the namespaces that some feeds give RSS.
    case rss
    case atom
    /// Atom 0.3, whose dates and contents are written differently.
    case atom03
    case rdf
    case content
    case dublinCore
    case dublinCoreTerms
    case media
    case itunes
    case xhtml
    case feedBurner
    case xml
    case other

    /// Whether feeds and their entries have this namespace.
    var isFeeds: Bool {
        switch self {
        case .rss, .atom, .atom03, .rdf: true
        default: false
        }
    }

    /// Finds the namespace that a URI names; other spellings of a URI are common.
    init(uri: String) {
        // Many documents declare a namespace in every entry.
        var key = uri.trimmed.utf8.map(\.lowercased)
        while key.last == UInt8(ascii: "/") || key.last == UInt8(ascii: "#") { key.removeLast() }
        if key.starts(with: "https://".utf8) { key.remove(at: 4) }
        self = XMLNamespace.byURI[String(decoding: key, as: UTF8.self)] ?? .other
    }

    /// Finds the namespace of a prefix that was not declared.
    init(undeclared prefix: String) {
        switch prefix {
        case "": self = .rss
        case "atom": self = .atom
        case "rdf": self = .rdf
        case "content": self = .content
        case "dc": self = .dublinCore
        case "dcterms": self = .dublinCoreTerms
        case "media": self = .media
        case "itunes": self = .itunes
        case "xhtml": self = .xhtml
        case "feedburner": self = .feedBurner
        case "xml": self = .xml
        default: self = .other
        }
    }

    private static let byURI: [String: XMLNamespace] = [
        "": .rss,
        "http://purl.org/rss/1.0": .rss,
        "http://my.netscape.com/rdf/simple/0.9": .rss,
        "http://channel.netscape.com/rdf/simple/0.9": .rss,
        "http://purl.org/net/rss1.1": .rss,
        "http://backend.userland.com/rss": .rss,
        "http://backend.userland.com/rss2": .rss,
        "http://blogs.law.harvard.edu/tech/rss": .rss,
        "http://cyber.law.harvard.edu/rss": .rss,
        "http://cyber.law.harvard.edu/rss/rss.html": .rss,
        "http://backend.userland.com/rss2.1": .rss,
        "http://backend.userland.com/rss191": .rss,
        "http://backend.userland.com/rss092": .rss,
        "http://www.w3.org/2005/atom": .atom,
        "http://purl.org/atom/ns": .atom03,
        "http://example.com/newformat": .atom03,
        "http://example.com/necho": .atom03,
        "http://purl.org/echo": .atom03,
        "http://purl.org/pie": .atom03,
        "http://www.w3.org/1999/02/22-rdf-syntax-ns": .rdf,
        "http://purl.org/rss/1.0/modules/content": .content,
        "http://purl.org/dc/elements/1.0": .dublinCore,
        "http://purl.org/dc/elements/1.1": .dublinCore,
        "http://purl.org/dc/terms": .dublinCoreTerms,
        "http://search.yahoo.com/mrss": .media,
        "http://www.rssboard.org/media-rss": .media,
        "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
        "http://example.com/dtds/podcast-1.0.dtd": .itunes,
        "http://www.w3.org/1999/xhtml": .xhtml,
        "http://rssnamespace.org/feedburner/ext/1.0": .feedBurner,
        "http://www.w3.org/xml/1998/namespace": .xml,
    ]
}
