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
        guard let found = try visible(name, request) else { return notFound(request.origin) }
        let query = try RowQuery(request.query, takesIDs: true)
        guard let current = found else { return notFound(request.origin) }
        let version = try version(query, after: current)
        return rows(query.kind, version, request) {
            guard query.ids.isEmpty else {
                return .init(body: RowDocuments.items(query.ids, version))
            }
            return ResponseBuilder.Document(page: RowDocuments.page(query, version))
        }
    }

    /// `GET /feeds/{feed}/sections/{id}`.
    func readSection(
        _ name: TargetPart,
        id: TargetPart,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        guard let found = try visible(name, request) else { return notFound(request.origin) }
        let query = try RowQuery(request.query, takesIDs: false)
        guard let current = found else { return notFound(request.origin) }
        let version = try version(query, after: current)
        let id = ExactString(request.head.text(id))
        guard let position = version.snapshot.position(ofSection: id) else {
            throw .notFound("there is no such section in this feed")
        }
        return rows(query.page(of: id), version, request) {
            let section = version.snapshot.sections[position]
            return ResponseBuilder.Document(page: RowDocuments.page(query, section, version))
        }
    }

    /// `GET /feeds/{feed}/items/{id}`: an item as it was published.
    func readItem(
        _ name: TargetPart,
        id: TargetPart,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        guard let version = try visible(name, request) ?? nil else {
            return notFound(request.origin)
        }
        let id = ExactString(request.head.text(id))
        guard let item = version.snapshot.item(id) else {
            throw .notFound("there is no such item in this feed")
        }
        return rows(.item(id), version, request) { .init(body: item.json.bytes) }
    }

    /// The version to page through; `410` says where to start again.
    private func version(_ query: RowQuery, after current: Version) throws(Problem) -> Version {
        do {
            return try version(query.version, after: current)
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

    /// Answers with a document of rows, which is kept where `kind` tells it from all others.
    private func rows(
        _ kind: ResponseKey.Kind?,
        _ version: Version,
        _ request: borrowing RoutedRequest,
        _ make: @escaping @Sendable () -> ResponseBuilder.Document
    ) -> Disposition {
        let (origin, coding) = (request.origin, request.head.codingChoice)
        let responses = cache.responses(for: version)
        let tag = responses.tag
        let key = ResponseKey(kind: kind ?? .outline, coding: coding)
        let outcome = request.head.readOutcome(tag, version, by: store)
        switch outcome {
        case .failed(let condition):
            return .answer(builder.response(.failed(condition, tag), origin: origin))
        case .notModified(let match):
            if let coding = match.coding(for: coding) {
                let response = notModified(key, version, coding, responses)
                return .cached(response, completion(version, responses, origin))
            }
        case .send: break
        }
        if kind != nil, let found = responses[key] {
            return finished(found, key, version, responses, outcome, origin).disposition
        }
        let kept = kind == nil ? nil : responses
        let isCoded = coding.coding != .identity
        let size = responses.isSmall(isCoded: isCoded) ? nil : rowsSize(version, isCoded: isCoded)
        return disposition(size, version.feed, origin) { [self] in
            builder.counters.addDocument()
            let document = builder.cachedAtOnce(make(), version, coding)
            kept?.keep(document, key)
            let answer = finished(document, key, version, responses, outcome, origin)
            return kept == nil ? answer.own : answer
        }
    }
}

extension ResponseBuilder.Document {
    /// A page, with a link to the next one (RFC 8288).
    fileprivate init(page: (body: [UInt8], next: String?)) {
        self.init(body: page.body, link: page.next.map { "<\($0)>; rel=\"next\"" })
    }
}
