import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Rows on demand: parts of a feed by their place or their id.
extension FeedAPI {
    /// `GET /feeds/{feed}/items`.
    func readItems(_ name: ExactString, _ call: Call) throws(Problem) -> Reception {
        let feed = try readable(name, call)
        let query = try RowQuery(call.query, takesIDs: true)
        let version = try version(query, of: feed)
        return rows(version, call) {
            guard query.ids.isEmpty else {
                return .init(body: RowDocuments.items(query.ids, version))
            }
            return Composer.Document(page: RowDocuments.page(query, version))
        }
    }

    /// `GET /feeds/{feed}/sections/{id}`.
    func readSection(_ name: ExactString, id: ExactString, _ call: Call) throws(Problem)
        -> Reception
    {
        let feed = try readable(name, call)
        let query = try RowQuery(call.query, takesIDs: false)
        let version = try version(query, of: feed)
        guard let place = version.snapshot.position(ofSection: id) else {
            throw .notFound("there is no such section in this feed")
        }
        let section = version.snapshot.sections[place]
        return rows(version, call) {
            Composer.Document(page: RowDocuments.page(query, section, version))
        }
    }

    /// `GET /feeds/{feed}/items/{id}`: an item as it was published.
    func readItem(_ name: ExactString, id: ExactString, _ call: Call) throws(Problem) -> Reception {
        let version = try version(nil, of: readable(name, call))
        let composer = composer
        let parts = ReadParts(call)
        let isSmall = version.snapshot.isSmall(isCoded: parts.isCoded)
        return reception(isSmall: isSmall, origin: parts.origin) {
            guard let item = version.snapshot.item(id) else {
                let problem = Problem.notFound("there is no such item in this feed")
                return .response(composer.response(problem, origin: parts.origin))
            }
            return .response(composer.response(.init(body: item.json.bytes), version, parts))
        }
    }

    /// The version to page through; `410` says where to start again.
    private func version(_ query: RowQuery, of feed: FeedName) throws(Problem) -> Version {
        do {
            return try version(query.version, of: feed)
        } catch {
            var problem = error
            if problem.kind == .versionForgotten {
                problem.fields[.link] = "<\(query.first)>; rel=\"first\""
            }
            throw problem
        }
    }

    private func rows(
        _ version: Version,
        _ call: Call,
        _ make: @escaping @Sendable () -> Composer.Document
    ) -> Reception {
        let composer = composer
        let parts = ReadParts(call)
        let isSmall = version.snapshot.isSmall(isCoded: parts.isCoded)
        return reception(isSmall: isSmall, origin: parts.origin) {
            .response(composer.response(make(), version, parts))
        }
    }
}

/// What an answer made for one request depends on.
struct ReadParts: Sendable {
    let condition: ReadCondition
    let coding: CodingChoice
    let origin: CORS.Origin

    init(_ call: Call) {
        condition = ReadCondition(call.head)
        coding = call.coding
        origin = call.origin
    }

    /// Whether the answer is to be compressed.
    var isCoded: Bool { coding.coding != .identity }
}

extension Composer {
    /// `200` with a document, or `304` in its place.
    func response(_ document: Document, _ version: Version, _ parts: ReadParts) -> Response {
        let (response, coding) = response(
            document,
            version,
            parts.coding,
            origin: parts.origin
        )
        let tag = Tag(version.token)
        let matched: ContentCoding
        switch parts.condition.outcome(tag) {
        case .send: return response
        case .failed: return self.response(.otherVersion(tag), origin: parts.origin)
        case .notModified(let coding): matched = coding
        case .notModifiedAsSent: matched = coding
        }
        return notModified(
            version,
            matched,
            isUnchanged: false,
            canBeHeld: false,
            origin: parts.origin
        )
    }
}

extension Composer.Document {
    /// A page, with a link to the next one (RFC 8288).
    fileprivate init(page: (body: [UInt8], next: String?)) {
        self.init(body: page.body, link: page.next.map { "<\($0)>; rel=\"next\"" })
    }
}
