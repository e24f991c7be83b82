/// The elements of RSS modules: Dublin Core, and the module of podcasts.
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
        case .duration: draft.duration = MediaElements.seconds(node.text)
        case .category: if let name = node["text"]?.nonempty { draft.add(tag: tag(name)) }
        case .keywords:
            for name in node.text.split(separator: ",") { draft.add(tag: String(name).nonempty) }
        default: break
        }
    }
}
