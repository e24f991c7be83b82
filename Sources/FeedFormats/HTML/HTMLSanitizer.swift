/// Writes HTML anew from the elements, attributes and schemes that are allowed.
///
/// Only text and values are copied from the input, each escaped: the output has only allowed tags,
/// closed in order. Relative addresses are resolved.
package struct HTMLSanitizer {
    let base: String
    private var output: [UInt8] = []
    private var open = HTMLOpenElements()
    /// The elements that are being left out with their content, outermost first.
    private var dropping: [HTMLName] = []
    /// Whether the last output is a lazy image: a script was to set its address.
    private var isAfterLazyImage = false
    /// The address of the last player that was replaced by a link: an `object` often holds it
    /// twice.
    private var lastPlayer = ""
    /// The number of bytes that may still be written to reopen elements; without a limit, the
    /// output could be far longer than the input.
    private var reopening: Int
    private var resolving: ResolvingBudget

    /// The most open elements; deeper ones are left out, but their text is kept.
    private static let depthLimit = 100

    private init(base: String, reopening: Int, _ resolving: ResolvingBudget) {
        self.base = base
        self.reopening = reopening
        self.resolving = resolving
    }

    /// Returns a fragment of HTML with only the parts that are allowed, its relative addresses
    /// resolved to a base.
    package static func sanitize(_ html: String, base: String) -> String {
        let html = Array(html.withoutControls.utf8)
        var sanitizer = HTMLSanitizer(
            base: base,
            reopening: html.count + 1000,
            ResolvingBudget(textByteCount: html.count)
        )
        sanitizer.output.reserveCapacity(html.count)
        var tokenizer = HTMLTokenizer(html[...])
        while let token = tokenizer.next() { sanitizer.take(token, tokenizer.extent) }
        sanitizer.close(downTo: 0)
        return String(decoding: sanitizer.output, as: UTF8.self)
    }

    /// Returns the `srcset` of an element with its addresses resolved.
    static func srcset(
        _ value: String,
        base: String,
        _ resolving: inout ResolvingBudget
    ) -> String? {
        var sanitizer = HTMLSanitizer(base: base, reopening: 0, resolving)
        defer { resolving = sanitizer.resolving }
        return sanitizer.srcset(value)
    }

    private mutating func take(_ token: HTMLTokenizer.Token, _ extent: HTMLTokenizer.Extent) {
        switch token {
        case .text(let bytes):
            guard dropping.isEmpty else { return }
            if isAfterLazyImage { isAfterLazyImage = bytes.allSatisfy(\.isSpace) }
            output.append(escapedForHTML: bytes)
        case .start(let name, let attributes):
            if isLeftOut(name, extent) { return }
            guard let allowed = name.attributes else {
                // The options of a form are kept as words.
                if name.text == "option" { output.append(UInt8(ascii: " ")) }
                if name.isPlayer { link(player: attributes) }
                return
            }
            isAfterLazyImage = false
            start(name, attributes, allowed)
        case .end(let name):
            if dropping.isEmpty {
                if let index = open.index(endedBy: name) { close(downTo: index) }
            } else if let index = dropping.lastIndex(of: name) {
                dropping.removeSubrange(index...)
            }
        }
    }

    private mutating func start(
        _ name: HTMLName,
        _ attributes: HTMLTokenizer.Attributes,
        _ allowed: [String]
    ) {
        let isImage = name.text == "img"
        let (list, isLazy) = kept(attributes, allowed, of: name.text)
        var kept = list
        if isImage || name.text == "source" {
            guard !isInvisible(attributes), kept.contains(where: { $0.name.hasPrefix("src") })
            else {
                return
            }
            isAfterLazyImage = isLazy && isImage
        }
        if name.text == "a", kept["href"] != nil {
            kept.append((name: "rel", value: "noopener noreferrer"))
        }
        end(before: name)
        guard name.isVoid || open.count < HTMLSanitizer.depthLimit else { return }
        let start = output.count
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name.bytes)
        for (name, value) in kept {
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: name.utf8)
            output.append(UInt8(ascii: "="))
            output.append(UInt8(ascii: "\""))
            output.append(escapedForHTML: value)
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        if !name.isVoid { open.append(name, tag: start..<output.count) }
    }

    /// Writes a link to what a player shows, instead of the player.
    private mutating func link(player attributes: HTMLTokenizer.Attributes) {
        func value(_ names: [String]) -> String? {
            names.lazy.compactMap { attributes[$0]?.nonempty }.first
        }
        guard open.count < HTMLSanitizer.depthLimit, !isInvisible(attributes),
            let source = value(["data-src", "data-lazy-src", "data-original", "src", "data"])
                ?? movie(of: attributes),
            let address = address(source, isLink: false), WebAddress.isWeb(address)
        else { return }
        let page = PlayerAddress.page(of: address)
        guard page != lastPlayer else { return }
        lastPlayer = page
        start(HTMLName.link, [("href", page)], HTMLName.link.attributes ?? [])
        output.append(escapedForHTML: value(["title"])?.singleLine ?? PlayerAddress.host(of: page))
        close(downTo: open.count - 1)
    }

    /// Returns the address in `<param name="movie" value="…">`.
    private func movie(of attributes: HTMLTokenizer.Attributes) -> String? {
        let name = attributes["name"]?.trimmed.lowercased()
        guard name == "movie" || name == "src" else { return nil }
        return attributes["value"]?.nonempty
    }

    private func isInvisible(_ attributes: HTMLTokenizer.Attributes) -> Bool {
        attributes.contains {
            ($0.name == "width" || $0.name == "height")
                && ["0", "1", "1px"].contains($0.value.trimmed)
        }
    }
}

/// Closes elements, and leaves elements out.
extension HTMLSanitizer {
    private mutating func close(downTo index: Int) {
        while open.count > index, let name = open.popLast() {
            output.append(UInt8(ascii: "<"))
            output.append(UInt8(ascii: "/"))
            output.append(contentsOf: name.bytes)
            output.append(UInt8(ascii: ">"))
        }
    }

    /// Closes the elements that a start tag ends.
    ///
    /// Formatting in a paragraph or link is opened again after its end.
    private mutating func end(before name: HTMLName) {
        while let index = open.index(endedByStartOf: name) {
            let formatting = open.formatting(after: index, ofLink: name.text != "a")
            close(downTo: index)
            for element in formatting where element.tag.count <= reopening {
                reopening -= element.tag.count
                let start = output.count
                output.append(contentsOf: Array(output[element.tag]))
                open.append(element.name, tag: start..<output.count)
            }
        }
    }

    /// Returns whether a start tag is left out, together with its element or inside another one.
    private mutating func isLeftOut(_ name: HTMLName, _ extent: HTMLTokenizer.Extent) -> Bool {
        if let outer = dropping.first {
            let isForeign = outer.text == "svg" && dropping.last == outer
            let isInHead = outer.text == "head" && dropping.count == 1
            if isForeign && name.endsForeign || isInHead && !name.isOfHead {
                dropping.removeAll()
            }
        }
        if let outer = dropping.first {
            // Only some elements can be nested in the one that is left out, and would end it too
            // early.
            let isNested =
                name == outer || outer.text == "head" && name.text == "template"
                || outer.text == "svg" && name.holdsHTML
            if isNested, extent != .tag, dropping.count < 50 { dropping.append(name) }
            return true
        }
        let isFallback = name.text == "noscript" && isAfterLazyImage
        guard name.isDropped || isFallback else { return false }
        let isCode = name.text == "script" || name.text == "style"
        if extent == .content || extent == .rest && isCode { dropping.append(name) }
        return true
    }
}

/// Chooses and checks attributes.
extension HTMLSanitizer {
    /// The attributes of lazy images, and the attributes that a script would copy them to.
    private static let lazy = [
        "data-src": "src", "data-original": "src", "data-lazy-src": "src", "data-srcset": "srcset",
        "data-lazy-srcset": "srcset",
    ]

    private mutating func kept(
        _ attributes: HTMLTokenizer.Attributes,
        _ allowed: [String],
        of element: String
    ) -> (list: HTMLTokenizer.Attributes, isLazy: Bool) {
        var kept: HTMLTokenizer.Attributes = []
        if attributes.isEmpty { return (kept, false) }
        func keep(_ name: String, _ value: String) {
            guard allowed.contains(name) || HTMLVocabulary.globalAttributes.contains(name),
                kept[name] == nil,
                let value = checked(name, value, of: element)
            else { return }
            kept.append((name, value))
        }
        // A value with braces is a template that a script is yet to fill in.
        for (name, value) in attributes where name.utf8.starts(with: "data-".utf8) {
            if value.has(UInt8(ascii: "{")) { continue }
            if let target = HTMLSanitizer.lazy[name] { keep(target, value) }
        }
        let isLazy = !kept.isEmpty
        for (name, value) in attributes { keep(name, value) }
        return (kept, isLazy)
    }

    /// Returns the value of an attribute to keep, with its addresses resolved; `nil`: an address is
    /// not allowed.
    private mutating func checked(_ name: String, _ value: String, of element: String) -> String? {
        if name == "srcset" { return srcset(value) }
        guard HTMLVocabulary.addresses.contains(name) else { return value }
        // An empty address means the page itself, which is no picture.
        if name == "src" || name == "poster", value.nonempty == nil { return nil }
        return address(value, isLink: element == "a" && name == "href")
    }

    private mutating func address(_ value: String, isLink: Bool) -> String? {
        // Browsers find schemes behind control characters and white space.
        let hasControls = value.utf8.contains { $0 < 0x20 }
        let visible = hasControls ? value.keeping { $0.value >= 0x20 } : value
        guard let address = resolving.resolve(visible, base: base) else { return nil }
        if WebAddress.hostStart(address.utf8.span) != nil { return address }
        guard let scheme = WebAddress.scheme(of: address) else {
            // The address is relative to an unknown base; it can lead nowhere but to the page's own
            // server.
            return address.utf8.contains(UInt8(ascii: ":")) ? nil : address
        }
        let isAllowed =
            isLink
            ? HTMLVocabulary.linkSchemes.contains(scheme) : ["http", "https"].contains(scheme)
        return isAllowed ? address : nil
    }

    /// Returns the candidates whose addresses are allowed (HTML Standard §4.8.4.2.1).
    private mutating func srcset(_ value: String) -> String? {
        var candidates: [String] = []
        // Controls in an address are removed; a comma that they hid would end it.
        var rest =
            value.keeping {
                $0.value >= 0x20 && $0.value != 0x7F || $0.properties.isWhitespace
            }[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            if rest.isEmpty { break }
            var url = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(url.count)
            var descriptor = ""
            if url.utf8.last == UInt8(ascii: ",") {
                while url.utf8.last == UInt8(ascii: ",") { url = Substring(url.utf8.dropLast()) }
            } else {
                let part = rest.prefix { $0 != "," }
                rest = rest.dropFirst(part.count)
                descriptor = String(part).trimmed
            }
            let isPlain = descriptor.utf8.allSatisfy {
                $0.isASCIIAlphanumeric || [0x20, 0x2E].contains($0)
            }
            if let address = address(String(url), isLink: false), isPlain, !address.isEmpty {
                candidates.append(descriptor.isEmpty ? address : "\(address) \(descriptor)")
            }
        }
        return candidates.isEmpty ? nil : candidates.joined(separator: ", ")
    }
}
