import FeedModel

/// Rows by their place.
extension InMemoryFeeds {
    /// Answers with a page of rows, of a feed or of a section of it.
    func rows(of name: String, section: String?, _ request: InMemoryRequest) -> InMemoryAnswer {
        guard let feed = FeedName(name), let now = current(feed) else { return missing(name) }
        let page = request.page
        guard let version = page.version.map({ version($0, of: feed) }) ?? now else {
            let words = "this version is not known any more"
            return InMemoryAnswer(refusing: 410, "/problems/version-forgotten", words)
        }
        let sections = version.snapshot.sections.filter {
            section == nil || $0.id.string == section
        }
        guard section == nil || !sections.isEmpty else {
            let words = "there is no such section in this feed"
            return InMemoryAnswer(refusing: 404, "/problems/not-found", words)
        }
        let all = sections.flatMap { section in
            section.items.enumerated().map { (section.id, $0.offset, $0.element) }
        }
        let rows = all.dropFirst(page.offset).prefix(page.limit).map { id, index, item in
            #"{"in":\#(text(id)),"index":\#(index),"item":\#(text(item.json))}"#
        }
        let end = page.offset + rows.count
        let query = "?offset=\(end)&limit=\(page.limit)&version=\(version.token)"
        let json = """
            {"kind":"items","feed":"\(feed)","token":"\(version.token)","total":\(all.count),\
            "offset":\(page.offset),"items":[\(rows.joined(separator: ","))]\
            \(end < all.count && !rows.isEmpty ? #","next":"\#(query)""# : "")}
            """
        return InMemoryAnswer(json.utf8)
    }

    private func text(_ id: ExactString) -> String { text(JSONText(string: id.string)) }

    private func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }
}
