/// Reads Media RSS: pictures, sounds and films, with their titles and descriptions.
struct MediaElements {
    func take(_ node: XMLNode, _ draft: inout EntryElements.Draft) {
        switch node.element {
        case .group, .community, .player: for child in node.children { takeAny(child, &draft) }
        default: takeAny(node, &draft)
        }
    }

    private func takeAny(_ node: XMLNode, _ draft: inout EntryElements.Draft) {
        guard node.namespace == .media else { return }
        switch node.element {
        case .thumbnail: draft.offer(image: node["url"] ?? node.text, of: node, rank: 0)
        case .content: content(node, &draft)
        case .title: draft.mediaTitle = draft.mediaTitle ?? TextConstruct(node).line
        case .description: draft.offer(summary: node, rank: 4)
        case .category: draft.add(tag: node.text.nonempty)
        case .keywords:
            for name in node.text.split(separator: ",") { draft.add(tag: String(name).nonempty) }
        case .group: for child in node.children { takeAny(child, &draft) }
        default: break
        }
    }

    private func content(_ node: XMLNode, _ draft: inout EntryElements.Draft) {
        for child in node.children { takeAny(child, &draft) }
        guard let url = node["url"]?.nonempty else { return }
        let address = WebAddress.resolve(url, base: node.base)
        let type = node["type"]?.nonempty
        let isImage =
            node["medium"]?.lowercased() == "image" || type?.hasPrefix("image/") == true
            || type == nil && MediaType.named(address)?.hasPrefix("image/") == true
        if isImage {
            draft.offer(image: url, of: node, rank: 3)
            return
        }
        draft.add(
            file: SourceAttachment(
                url: address,
                type: type ?? MediaType.named(address),
                byteCount: node.byteCount("filesize"),
                seconds: node["duration"].flatMap(MediaElements.seconds)
            )
        )
    }

    /// Returns a duration in seconds, from `1:02:03`, `62:03` or seconds.
    static func seconds(_ text: String) -> Int? {
        let parts = text.trimmed.split(separator: ":").map { Double(decimal: String($0).trimmed) }
        guard 1...3 ~= parts.count else { return nil }
        var seconds = 0.0
        for part in parts {
            guard let part, 0..<1_000_000 ~= part else { return nil }
            seconds = seconds * 60 + part
        }
        return seconds > 0 ? Int(seconds) : nil
    }
}

extension Double {
    /// Parses a number of ASCII digits, perhaps with a fraction.
    ///
    /// `Double(_:)` would accept a sign, an exponent and hexadecimal digits.
    package init?(decimal text: String) {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        self.init(text)
    }
}
