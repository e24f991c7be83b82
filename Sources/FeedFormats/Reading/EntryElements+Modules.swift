/// Reads the elements of modules: Dublin Core, podcasts, and Media RSS.
extension EntryElements {
    func dublinCore(_ node: XMLNode, _ draft: inout Draft) {
        switch node.element {
        case .title: draft.entry.title = draft.entry.title ?? title(node)
        case .creator, .author:
            if let author = SourceAuthor(node) { draft.add(author: author) }
        case .date, .created, .issued:
            draft.entry.published = draft.entry.published ?? date(node)
        case .modified: draft.entry.updated = draft.entry.updated ?? date(node)
        case .subject: draft.add(tag: tag(node.text))
        case .description: draft.offer(summary: node, rank: 3)
        case .identifier: draft.entry.guid = draft.entry.guid ?? node.text.nonempty
        case .language: draft.entry.language = node.text.nonempty
        default: break
        }
    }

    func podcast(_ node: XMLNode, _ draft: inout Draft) {
        switch node.element {
        case .title: draft.mediaTitle = draft.mediaTitle ?? title(node)
        case .author:
            if draft.entry.authors.isEmpty, let author = SourceAuthor(node) {
                draft.add(author: author)
            }
        case .summary: draft.offer(summary: node, rank: 2)
        case .subtitle: draft.offer(summary: node, rank: 1)
        case .image:
            draft.offer(image: node["href"] ?? node["url"], of: node, rank: 2)
        case .duration: draft.duration = EntryElements.seconds(node.text)
        case .category: if let name = node["text"]?.nonempty { draft.add(tag: tag(name)) }
        case .keywords: draft.add(keywords: node)
        default: break
        }
    }

    /// Reads an element of Media RSS: pictures, sounds and films, with their titles and
    /// descriptions.
    func media(_ node: XMLNode, _ draft: inout Draft) {
        switch node.element {
        case .group, .community, .player:
            for child in node.children { mediaPart(child, &draft) }
        default: mediaPart(node, &draft)
        }
    }

    private func mediaPart(_ node: XMLNode, _ draft: inout Draft) {
        guard node.namespace == .media else { return }
        switch node.element {
        case .thumbnail: draft.offer(image: node["url"] ?? node.text, of: node, rank: 0)
        case .content: mediaContent(node, &draft)
        case .title: draft.mediaTitle = draft.mediaTitle ?? title(node)
        case .description: draft.offer(summary: node, rank: 4)
        case .category: draft.add(tag: node.text.nonempty)
        case .keywords: draft.add(keywords: node)
        case .group: for child in node.children { mediaPart(child, &draft) }
        default: break
        }
    }

    private func mediaContent(_ node: XMLNode, _ draft: inout Draft) {
        for child in node.children { mediaPart(child, &draft) }
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
        let seconds = node["duration"].flatMap(EntryElements.seconds)
        draft.add(file: address, of: node, length: "filesize", seconds: seconds)
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
