public import FeedModel
public import Foundation

/// Publishing. What gets no answer is tried again with the same idempotency key, so that it happens
/// once; all throw ``FeedServiceError``.
extension FeedService {
    /// Replaces a whole feed; the server works out what changed.
    ///
    /// - Parameters:
    ///   - document: `{"title": …, "sections": [{"id": …, "items": […]}]}`, or `"items"` alone.
    ///   - feed: The feed, which comes to be if it is not there.
    ///   - options: Conditions, and how it is tried.
    /// - Returns: The version that there is now, and what changed.
    @discardableResult
    public func publish(
        _ document: Data,
        to feed: FeedName,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        try await publish(.init("PUT", [feed.rawValue], body: document), options).published()
    }

    /// Replaces a whole feed by a value that becomes such a document.
    @discardableResult
    public func replace(
        _ feed: FeedName,
        with document: some Encodable,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        try await publish(FeedService.encoder.encode(document), to: feed, options: options)
    }

    /// Replaces a whole feed by items in one section; each becomes an object with an `id`.
    @discardableResult
    public func replace<Item: Encodable>(
        _ feed: FeedName,
        withItems items: [Item],
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        try await replace(feed, with: ["items": items], options: options)
    }

    /// Applies edits, all or none.
    ///
    /// ```swift
    /// try await service.edit(feed) { edits in
    ///     try edits.insert(Story(id: "s9", title: "New"), at: .start)
    ///     try edits.remove("s1")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - feed: A feed that is there.
    ///   - options: Conditions, and how it is tried.
    ///   - make: Adds the edits.
    /// - Returns: The version that there is now, and what changed.
    @discardableResult
    public func edit(
        _ feed: FeedName,
        options: PublishOptions = PublishOptions(),
        _ make: (inout FeedEdits) throws -> Void
    ) async throws -> PublishResult {
        var edits = FeedEdits()
        try make(&edits)
        return try await edit(feed, json: edits.document, options: options)
    }

    /// Applies edits that are JSON already: `{"edits": […]}`.
    @discardableResult
    public func edit(
        _ feed: FeedName,
        json: Data,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let request = PublishRequest("PATCH", [feed.rawValue], body: json)
        return try await publish(request, options).published()
    }

    /// Inserts an item, which has an `id`.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - feed: A feed that is there.
    ///   - section: The section's id; `nil`: the first one.
    ///   - place: `nil`: the start.
    ///   - options: Conditions, and how it is tried.
    /// - Returns: The version that there is now, and what changed.
    @discardableResult
    public func insert(
        _ item: some Encodable,
        into feed: FeedName,
        section: String? = nil,
        at place: ItemPlace? = nil,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let json = try FeedService.encoder.encode(item)
        return try await insert(
            json: json,
            into: feed,
            section: section,
            at: place,
            options: options
        )
    }

    /// Inserts an item, or an array of items, that is JSON already.
    @discardableResult
    public func insert(
        json: Data,
        into feed: FeedName,
        section: String? = nil,
        at place: ItemPlace? = nil,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let request = PublishRequest(
            "POST",
            [feed.rawValue, "items"],
            query: (section.map { [("section", $0)] } ?? []) + (place.map { [$0.member] } ?? []),
            body: json
        )
        return try await publish(request, options).published()
    }

    /// Replaces the item of an id where it is, or inserts it.
    @discardableResult
    public func replaceItem(
        _ id: String,
        of feed: FeedName,
        with item: some Encodable,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let body = try FeedService.encoder.encode(item)
        let request = PublishRequest("PUT", [feed.rawValue, "items", id], body: body)
        return try await publish(request, options).published()
    }

    /// Changes members of an item by a merge patch (RFC 7396): those of `null` go.
    public func updateItem(
        _ id: String,
        of feed: FeedName,
        with patch: some Encodable,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let body = try FeedService.encoder.encode(patch)
        let request = PublishRequest("PATCH", [feed.rawValue, "items", id], body: body)
        return try await publish(request, options).published()
    }

    /// Removes an item.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public func removeItem(
        _ id: String,
        of feed: FeedName,
        options: PublishOptions = PublishOptions()
    ) async throws -> Bool {
        try await publish(.init("DELETE", [feed.rawValue, "items", id]), options).removed()
    }

    /// Removes a feed.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public func remove(
        _ feed: FeedName,
        options: PublishOptions = PublishOptions()
    ) async throws -> Bool {
        try await publish(.init("DELETE", [feed.rawValue]), options).removed()
    }

    /// The versions of a feed that the server remembers, the newest first; needs a key that may
    /// write the feed.
    ///
    /// - Parameters:
    ///   - feed: A feed that is there.
    ///   - limit: The most versions, from 1 to 1,000.
    ///   - before: Only versions before this one.
    /// - Returns: The versions.
    /// - Throws: ``FeedServiceError``.
    public func versions(
        of feed: FeedName,
        limit: Int = 20,
        before: Token? = nil
    ) async throws -> [FeedVersion] {
        struct Page: Decodable {
            let versions: [FeedVersion]
        }
        let request = requests.versions(of: feed, limit: limit, before: before)
        let document = try await send(request).document("application/json")
        guard let page = try? JSONDecoder().decode(Page.self, from: Data(document)) else {
            throw FeedServiceError.unexpected("the server sent no list of versions")
        }
        return page.versions
    }

    /// Makes the content of a version that the server remembers current again, as a new version.
    ///
    /// - Parameters:
    ///   - feed: A feed that is there.
    ///   - version: The version to go back to, of ``versions(of:limit:before:)``.
    ///   - options: Conditions, and how it is tried.
    /// - Returns: The version that there is now, and what changed.
    @discardableResult
    public func restore(
        _ feed: FeedName,
        to version: Token,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let query = [("version", version.description)]
        let request = PublishRequest("POST", [feed.rawValue, "restore"], query: query)
        return try await publish(request, options).published()
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        // The same value is the same body, in the app's next run too: a repeat is known by it.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// A publish without its conditions.
struct PublishRequest {
    let method: String
    let path: [String]
    var query: [(String, String)] = []
    var body: Data?

    /// Whether a feed's guard may refuse it: whoever deletes a feed, or goes back, means it.
    var isGuarded: Bool {
        (path.count != 3 || path.last != "restore")
            && (method != "DELETE" || path.count > 2)
    }

    init(_ method: String, _ path: [String], query: [(String, String)] = [], body: Data? = nil) {
        self.method = method
        self.path = ["feeds"] + path
        self.query = query
        self.body = body
    }
}

extension FeedService {
    /// Publishes, again and again where it is not known whether it happened.
    private func publish(
        _ publish: PublishRequest,
        _ options: PublishOptions
    ) async throws -> FeedResult {
        let request = requests.publish(publish, options)
        var backoff = Backoff(first: options.firstRetry, longest: .seconds(60))
        for attempt in 1... {
            var retryAfter: Duration?
            do {
                let result = try await send(request)
                guard result.isWorthRepeating, attempt < options.attempts else { return result }
                retryAfter = result.retryAfter
            } catch let error as FeedServiceError {
                guard case .unreachable = error, attempt < options.attempts else { throw error }
            }
            let delay = backoff.delay(retryAfter: retryAfter, random: .random(in: 0..<1))
            try await Task.sleep(for: delay)
        }
        preconditionFailure("there is no last attempt")
    }
}

extension FeedResult {
    /// Whether the same publish may fare better, or is not known to have happened.
    fileprivate var isWorthRepeating: Bool {
        switch status {
        case 429, 502...504: true
        case 500:
            if case .problem(_, "/problems/outcome-unknown", _) = refusal { true } else { false }
        default: false
        }
    }

    /// The answer to a removal.
    fileprivate func removed() throws -> Bool {
        switch status {
        case 204: return true
        case 200:
            // What a dry run would do.
            _ = try published()
            return true
        case 404:
            if case .problem(_, "/problems/not-found", _) = refusal { return false }
            throw refusal
        default: throw refusal
        }
    }
}
