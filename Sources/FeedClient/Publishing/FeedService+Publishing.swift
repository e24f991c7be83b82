public import FeedModel
public import Foundation

/// Publishes, and lists and restores versions.
///
/// A request without a response is sent again with the same idempotency key, so that the publish
/// happens once. All methods throw ``FeedServiceError`` and `CancellationError`, and those with a
/// value that must be encoded also the error of its encoding.
extension FeedService {
    /// Replaces a whole feed.
    ///
    /// The server computes the changes.
    ///
    /// - Parameters:
    ///   - document: `{"title": …, "sections": [{"id": …, "items": […]}]}`, or `"items"` in place
    ///     of `"sections"`.
    ///   - feed: The feed, which is created if it does not exist.
    ///   - options: Conditions, and the number of attempts.
    /// - Returns: The new version, and the number of changes.
    @discardableResult
    public func publish(
        _ document: Data,
        to feed: FeedName,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        try await publish("PUT", [feed.rawValue], body: document, options).published()
    }

    /// Replaces a whole feed by a value that encodes as its document.
    @discardableResult
    public func replace(
        _ feed: FeedName,
        with document: some Encodable,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        try await publish(FeedService.encoder.encode(document), to: feed, options: options)
    }

    /// Replaces a whole feed by items in one section.
    ///
    /// Each must encode as an object with an `id`.
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
    ///   - feed: An existing feed.
    ///   - options: Conditions, and the number of attempts.
    ///   - make: Adds the edits.
    /// - Returns: The new version, and the number of changes.
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

    /// Applies edits in JSON: `{"edits": […]}`.
    @discardableResult
    public func edit(
        _ feed: FeedName,
        json: Data,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        try await publish("PATCH", [feed.rawValue], body: json, options).published()
    }

    /// Inserts an item.
    ///
    /// - Parameters:
    ///   - item: The item, which must have an `id`.
    ///   - feed: An existing feed.
    ///   - section: The section's id; `nil`: the first section.
    ///   - place: The position in the section; `nil`: the start.
    ///   - options: Conditions, and the number of attempts.
    /// - Returns: The new version, and the number of changes.
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

    /// Inserts an item, or an array of items, in JSON.
    @discardableResult
    public func insert(
        json: Data,
        into feed: FeedName,
        section: String? = nil,
        at place: ItemPlace? = nil,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let query = (section.map { [("section", $0)] } ?? []) + (place.map { [$0.member] } ?? [])
        let path = [feed.rawValue, "items"]
        return try await publish("POST", path, query: query, body: json, options).published()
    }

    /// Replaces the item with an id at its position, or inserts it.
    @discardableResult
    public func replaceItem(
        _ id: String,
        of feed: FeedName,
        with item: some Encodable,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let body = try FeedService.encoder.encode(item)
        let path = [feed.rawValue, "items", id]
        return try await publish("PUT", path, body: body, options).published()
    }

    /// Changes members of an item by a merge patch (RFC 7396), in which `null` removes a member.
    @discardableResult
    public func updateItem(
        _ id: String,
        of feed: FeedName,
        with patch: some Encodable,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let body = try FeedService.encoder.encode(patch)
        let path = [feed.rawValue, "items", id]
        return try await publish("PATCH", path, body: body, options).published()
    }

    /// Removes an item.
    ///
    /// - Returns: Whether the item existed.
    @discardableResult
    public func removeItem(
        _ id: String,
        of feed: FeedName,
        options: PublishOptions = PublishOptions()
    ) async throws -> Bool {
        try await publish("DELETE", [feed.rawValue, "items", id], options).removed()
    }

    /// Removes a feed.
    ///
    /// - Returns: Whether the feed existed.
    @discardableResult
    public func remove(
        _ feed: FeedName,
        options: PublishOptions = PublishOptions()
    ) async throws -> Bool {
        try await publish("DELETE", [feed.rawValue], isGuarded: false, options).removed()
    }

    /// Returns the versions of a feed that the server remembers, the newest first.
    ///
    /// The key must allow writing the feed.
    ///
    /// - Parameters:
    ///   - feed: An existing feed.
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
        var query = [("limit", String(limit))]
        if let before { query.append(("before", before.description)) }
        let request = requests.make("GET", ["feeds", feed.rawValue, "versions"], query: query)
        let document = try await send(request).document("application/json")
        guard let page = try? JSONDecoder().decode(Page.self, from: Data(document)) else {
            throw FeedServiceError.unexpected("the server sent no list of versions")
        }
        return page.versions
    }

    /// Publishes the content of an older version again, as a new version.
    ///
    /// - Parameters:
    ///   - feed: An existing feed.
    ///   - version: The version to restore, from ``versions(of:limit:before:)``.
    ///   - options: Conditions, and the number of attempts.
    /// - Returns: The new version, and the number of changes.
    @discardableResult
    public func restore(
        _ feed: FeedName,
        to version: Token,
        options: PublishOptions = PublishOptions()
    ) async throws -> PublishResult {
        let query = [("version", version.description)]
        let path = [feed.rawValue, "restore"]
        return try await publish("POST", path, query: query, isGuarded: false, options).published()
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        // Sorted keys make equal values equal bodies, also in the app's next run: the server
        // recognizes a repeated request by its body.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension FeedService {
    /// Publishes, in several attempts if the outcome is unknown.
    ///
    /// Deleting a feed and restoring a version are deliberate, and not guarded.
    private func publish(
        _ method: String,
        _ path: [String],
        query: [(String, String)] = [],
        body: Data? = nil,
        isGuarded: Bool = true,
        _ options: PublishOptions
    ) async throws -> FeedResult {
        let request = requests.publish(
            method,
            path,
            query: query,
            body: body,
            isGuarded: isGuarded,
            options
        )
        let longest = Duration.seconds(60)
        var backoff = Backoff(first: options.firstRetry, longest: longest)
        for attempt in 1... {
            var retryAfter: Duration?
            do {
                let result = try await send(request)
                retryAfter = result.retryAfter
                guard result.isWorthRepeating, attempt < options.attempts,
                    (retryAfter ?? .zero) <= longest
                else { return result }
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
    /// Whether the publish should be sent again: it may succeed later, or its outcome is unknown.
    fileprivate var isWorthRepeating: Bool {
        switch status {
        case 429, 502...504: true
        case 500:
            if case .problem(_, "/problems/outcome-unknown", _) = refusal { true } else { false }
        default: false
        }
    }

    /// Returns whether a removal has removed something.
    fileprivate func removed() throws -> Bool {
        switch status {
        case 204: return true
        case 200:
            // A dry run answers with the changes that it would make.
            _ = try published()
            return true
        case 404:
            if case .problem(_, "/problems/not-found", _) = refusal { return false }
            throw refusal
        default: throw refusal
        }
    }
}
