import FeedFormats

/// HTML that was sanitised has nothing in it that acts, and sanitising it again changes nothing.
enum HTMLChecks {
    private static let forbidden: Set = [
        "script", "style", "iframe", "frame", "object", "embed", "applet", "form", "input",
        "button",
        "svg", "link", "meta", "base", "title", "template", "noscript", "textarea", "select",
    ]

    static func run(_ input: [UInt8]) throws(Finding) {
        let html = String(decoding: input, as: UTF8.self)
        let clean = HTMLSanitizer.sanitize(html, base: "https://a.example/b/")
        try checkTags(clean)
        let again = HTMLSanitizer.sanitize(clean, base: "https://other.example/")
        try require(again == clean, "\(clean)\nbecomes\n\(again)")
        let plain = HTMLText.plain(html)
        try require(!plain.utf8.contains(0), "a NUL in \(plain)")
        try check(HTMLBlocks(html, base: "https://a.example/b/"))
    }

    /// Looks for what a reader of text could not lay out.
    private static func check(_ text: HTMLBlocks) throws(Finding) {
        for block in text.blocks {
            let isNested = 0...100 ~= block.quoteDepth && 0...100 ~= block.listDepth
            try require(isNested, "a block that is nested too deep: \(block)")
            for span in block.spans {
                let isLinked = span.link.map { text.links.indices.contains($0) } ?? true
                try require(isLinked && !span.text.isEmpty, "text without an address: \(span)")
            }
        }
    }

    /// Looks at every tag as a browser does that knows only `<`, `>` and quotes.
    private static func checkTags(_ html: String) throws(Finding) {
        var rest = Array(html.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            var isQuoted = false
            var end = rest.startIndex
            while end < rest.endIndex, isQuoted || rest[end] != UInt8(ascii: ">") {
                if rest[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
                end += 1
            }
            try require(end < rest.endIndex, "a tag without an end: \(html)")
            try check(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        try require(!rest.contains(UInt8(ascii: ">")), "a lone > in \(html)")
    }

    private static func check(_ tag: String) throws(Finding) {
        let name = tag.drop { $0 == "/" }.prefix { !" /".contains($0) }
        try require(!name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber }, "<\(tag)>")
        try require(!forbidden.contains(name.lowercased()), "<\(tag)>")
        var isQuoted = false
        let outside = tag.filter { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted
        }
        for part in outside.split(separator: " ").dropFirst() {
            try require(!part.lowercased().hasPrefix("on"), "<\(tag)>")
            try require(!part.lowercased().hasPrefix("style"), "<\(tag)>")
        }
        for attribute in ["href=\"", "src=\""] {
            guard let start = tag.firstRange(of: attribute)?.upperBound else { continue }
            let address = tag[start...].prefix { $0 != "\"" }.lowercased()
            let isBad = ["javascript:", "data:", "vbscript:", "file:"].contains { scheme in
                address.hasPrefix(scheme)
            }
            try require(!isBad, "<\(tag)>")
        }
    }
}
