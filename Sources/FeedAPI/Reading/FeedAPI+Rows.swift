import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Rows on demand: parts of a feed by their position or their id.
extension FeedAPI {
    /// `GET /feeds/{feed}/items`.
    func readItems(_ name: TargetPart, _ request: borrowing RoutedRequest) throws(Problem)
        -> Disposition
    {
        let lookup = try lookUp(name, request)
        if lookup.isHidden { return notFound(request.requester) }
        let query = try RowQuery(request.query, takesIDs: true)
        guard let current = lookup.version else { return notFound(request.requester) }
        let version = try version(query, after: current, request.kept)
        return answer(query.kind, version, request) {
            query.ids.isEmpty ? Rows(query, version) : Rows(of: query.ids, version)
        }
    }

    /// `GET /feeds/{feed}/sections/{id}`.
    func readSection(
        _ name: TargetPart,
        id: TargetPart,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        let lookup = try lookUp(name, request)
        if lookup.isHidden { return notFound(request.requester) }
        let query = try RowQuery(request.query, takesIDs: false)
        guard let current = lookup.version else { return notFound(request.requester) }
        let version = try version(query, after: current, request.kept)
        let id = ExactString(request.head.text(id))
        guard let position = version.snapshot.position(ofSection: id) else {
            throw .notFound("there is no such section in this feed")
        }
        let section = version.snapshot.sections[position]
        return answer(query.page(of: id), version, request) {
            Rows(query, of: section, version)
        }
    }

    /// `GET /feeds/{feed}/items/{id}`: an item as it was published.
    func readItem(
        _ name: TargetPart,
        id: TargetPart,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        guard let version = try lookUp(name, request).version else {
            return notFound(request.requester)
        }
        let id = ExactString(request.head.text(id))
        guard let item = version.snapshot.item(id) else {
            throw .notFound("there is no such item in this feed")
        }
        return answer(.item(id), version, request) { Rows(item) }
    }

    /// The version to page through; `410` says where to start again.
    private func version(
        _ query: RowQuery,
        after current: Version,
        _ kept: Version?
    ) throws(Problem) -> Version {
        do {
            return try version(query.version, after: current, kept)
        } catch {
            var problem = error
            if problem.kind == .versionForgotten {
                problem.fields[.link] = "<\(query.first)>; rel=\"first\""
            }
            throw problem
        }
    }

    /// How much work a page is at most, taking items for equally long.
    private func rowsSize(_ version: Version, isCoded: Bool) -> WorkSize {
        let (bytes, count) = (version.snapshot.itemByteCount, max(1, version.count))
        let page = bytes / count * min(count, RowQuery.maximumLimit)
        return WorkSize(byteCount: page * (isCoded ? 20 : 1))
    }

    /// Answers with a document of rows.
    ///
    /// - Parameters:
    ///   - kind: What tells it from all others of the version, so that it can be kept; `nil`:
    ///     nothing does.
    ///   - version: The version that it is about.
    ///   - request: The client that asks.
    ///   - rows: What is in it; asked where it is not kept already.
    private func answer(
        _ kind: ResponseKey.Kind?,
        _ version: Version,
        _ request: borrowing RoutedRequest,
        _ rows: () -> Rows
    ) -> Disposition {
        let coding = request.head.codingChoice
        let context = VersionRead(version, request, self)
        let responses = context.responses
        if let response = conditionalResponse(context, .withoutWait, nil) {
            return response
        }
        let key = ResponseKey(kind: kind ?? .outline, coding: coding)
        if kind != nil, let found = responses[key] {
            return .cached(found, perRequest(context))
        }
        let rows = rows()
        let isCoded = coding.coding != .identity
        let size = responses.isInstant(isCoded: isCoded) ? nil : rowsSize(version, isCoded: isCoded)
        if size != nil, context.requester.isHead, let coding = rows.foreseenCoding(coding) {
            let document = ResponseBuilder.Document(body: [], link: rows.link)
            return .now(head(document, coding, nil, context))
        }
        return disposition(size, version.feed, context.requester) { [self] in
            builder.counters.addDocument()
            let content = ResponseBuilder.Document(body: rows.make(), link: rows.link)
            let response = alwaysWanted {
                builder.cached(content, version, coding, while: $0)
            }
            let answer = FinalResponse.cached(response, perRequest(context))
            guard kind != nil else { return answer.own }
            responses.keep(response, key)
            return answer
        }
    }
}

/// A document of rows that is to be made, perhaps.
private struct Rows: Sendable {
    /// A link to the next page (RFC 8288).
    let link: String?
    /// Bytes that are in it, part by part; no more of them than tell that it is long.
    let byteCounts: @Sendable () -> any Sequence<Int>
    let make: @Sendable () -> [UInt8]

    /// A page of the whole feed.
    init(_ query: RowQuery, _ version: Version) {
        let next = RowDocuments.next(query, total: version.count, version)
        link = next.map { "<\($0)>; rel=\"next\"" }
        byteCounts = {
            RowDocuments.rows(query, version, atMost: Rows.looksLong).lazy.map(Rows.byteCount(of:))
        }
        make = { RowDocuments.page(query, version) }
    }

    /// A page of a section.
    init(_ query: RowQuery, of section: FeedSection, _ version: Version) {
        let next = RowDocuments.next(query, total: section.items.count, version)
        link = next.map { "<\($0)>; rel=\"next\"" }
        byteCounts = {
            let members = section.members.list.lazy.map(\.value.bytes.count)
            let rows = RowDocuments.rows(query, section, atMost: Rows.looksLong)
            return [members.reduce(0, +)] + rows.map(Rows.byteCount(of:))
        }
        make = { RowDocuments.page(query, section, version) }
    }

    /// The rows of some ids.
    init(of ids: [ExactString], _ version: Version) {
        link = nil
        byteCounts = {
            // One that is not there is named.
            ids.lazy.map { version.snapshot.item($0)?.json.bytes.count ?? $0.string.utf8.count }
        }
        make = { RowDocuments.items(ids, version) }
    }

    /// An item alone.
    init(_ item: FeedItem) {
        link = nil
        byteCounts = { [item.json.bytes.count] }
        make = { item.json.bytes }
    }

    /// As many rows are surely long.
    private static let looksLong = 128

    /// The bytes of a row: of its item, and of `{"in":"a","index":0,"item":},`.
    private static func byteCount(of row: RowDocuments.Row) -> Int {
        row.item.json.bytes.count + 28
    }

    /// How it would be coded, where that can be told before it is made.
    func foreseenCoding(_ wish: CodingChoice) -> ContentCoding? {
        if wish.coding == .identity || wish.isForced { return wish.coding }
        var length = 0
        for byteCount in byteCounts() {
            length += byteCount
            if length >= DocumentChoice.surelyLong { return wish.coding }
        }
        return nil
    }
}

extension FinalResponse {
    /// The response as one for this request alone.
    ///
    /// The engine may refuse it when readers that do not take their responses hold too much memory.
    fileprivate var own: FinalResponse {
        guard case .cached(let cached, let perRequest) = self else { return self }
        var response = cached.response(perRequest)
        response.fields[.contentLength] = nil
        return .response(response)
    }
}
