import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// The parsed head of a publishing request.
struct PublishRequest: Sendable {
    let feed: FeedName
    /// The item that the request is about; `nil` if it is about the feed.
    let item: ExactString?
    let type: BodyType
    let conditions: WriteConditions
    let isDryRun: Bool
    /// Whether the feed's ``RemovalGuard`` limits the number of items that the publish removes.
    let allowance: RemovalGuard.Allowance
    /// The identity of a request with an Idempotency-Key, which is carried out once; `nil` without
    /// the field, and for a dry run.
    let idempotency: IdempotencyMemory.Key?
    /// The client that work is charged to.
    let client: ClientID
    /// The entry for the operator's log, with the caller, the method and the feed.
    let record: PublishRecord
    /// The publisher that the list of the feed's versions shows.
    var origin: VersionOrigin
    let method: RequestHead.Method

    /// Whether the publish needs a body; otherwise a body is received and dropped.
    let takesBody: Bool

    /// Whether the feed must exist.
    let needsFeed: Bool

    /// Whether the request may insert items; the response is `201` if it has inserted any.
    let insertsItems: Bool

    /// Parses the head of a request, and checks the caller's rights.
    ///
    /// - Parameters:
    ///   - item: The item that the request is about; `nil`: it is about the feed.
    ///   - types: The accepted media types; empty: the request needs no body.
    ///   - parameters: The query parameters of the resource; others are an error.
    ///   - isRefresh: Whether the request only asks for a fetch of the feed's source.
    /// - Throws: `400`, `401`, `403`, `404`, `405` and `415`, for errors that do not depend on the
    ///   feed's content.
    init(
        _ request: borrowing RoutedRequest,
        _ access: Access,
        item: ExactString? = nil,
        accepting types: [BodyType] = BodyType.documents,
        knowing parameters: [Query.Parameter] = [.dryRun, .removals],
        needsFeed: Bool = true,
        insertsItems: Bool = false,
        isRefresh: Bool = false,
        changesContent: Bool = true
    ) throws(Problem) {
        guard let key = request.caller else {
            throw .unauthorized("publishing needs a key")
        }
        feed = try PublishRequest.feed(of: request)
        // An operator's key may refresh any source, because the operator configured it.
        if !isRefresh || !key.isAdmin { try access.checkWrite(feed, key) }
        if !isRefresh, changesContent { try access.checkTakesPublishes(feed) }
        try PublishRequest.check(request.query, knows: parameters)
        if let reason = item?.refusalAsID {
            throw .malformed("the item's id in the path: \(reason)")
        }
        self.item = item
        isDryRun = try request.query.flag(.dryRun)
        allowance = try PublishRequest.allowance(request.query, knows: parameters)
        conditions = try WriteConditions(request.head)
        if !types.isEmpty { try PublishRequest.checkIsWhole(request.head) }
        type = try BodyType(request, accepted: types)
        let idempotency = try PublishRequest.idempotencyKey(request, key)
        self.idempotency = isDryRun ? nil : idempotency
        client = request.client
        record = PublishRecord(request, feed, key)
        origin =
            key.token.map { .signer($0.signer.kid) } ?? .key(record.keyName ?? record.keyDigest)
        method = request.method
        takesBody = !types.isEmpty
        self.needsFeed = needsFeed
        self.insertsItems = insertsItems
    }

    private static func feed(of request: borrowing RoutedRequest) throws(Problem) -> FeedName {
        let name = request.head.text(request.route.feed)
        guard let feed = FeedName(name) else {
            let reason = FeedName.refusal(of: name) ?? "no feed can have it"
            throw .malformed("the name in the path: \(reason)")
        }
        return feed
    }

    /// Refuses query parameters that the resource does not know: a misspelt `dry-run` must not
    /// publish.
    private static func check(_ query: Query, knows known: [Query.Parameter]) throws(Problem) {
        guard let name = query.first(notAmong: known) else { return }
        let names = known.map(\.name)
        let hint =
            name.nearest(among: names).map { "perhaps \"\($0)\" is meant" }
            ?? (names.isEmpty ? "there is none" : "there is " + names.joined(separator: ", "))
        let shown = name.count > 64 ? name.prefix(64) + "…" : name[...]
        throw .malformed("the query parameter \"\(shown)\" is not known here: \(hint)")
    }

    /// Returns whether the feed's guard limits the removals: not with `removals=any`, nor for
    /// requests that cannot have the parameter, such as a delete or a restore.
    private static func allowance(
        _ query: Query,
        knows known: [Query.Parameter]
    ) throws(Problem) -> RemovalGuard.Allowance {
        guard known.contains(.removals) else { return .any }
        guard let text = try query.value(.removals) else { return .guarded }
        guard ExactString(text) == "any" else { throw Query.refusal(.removals, "is not any") }
        return .any
    }

    /// Refuses partial content, which would replace the whole (RFC 9110 §14.5).
    private static func checkIsWhole(_ head: RequestHead) throws(Problem) {
        guard head.value(named: "Content-Range") != nil else { return }
        throw .malformed("Content-Range: content is taken whole only, not in parts")
    }

    /// The most bytes of an Idempotency-Key.
    static let idempotencyKeyByteLimit = 255

    private static func idempotencyKey(
        _ request: borrowing RoutedRequest,
        _ key: AccessKey
    ) throws(Problem) -> IdempotencyMemory.Key? {
        guard request.head.has(.idempotencyKey) else { return nil }
        let value = idempotencyKeyBytes(request.head)
        guard 1...idempotencyKeyByteLimit ~= value.count else {
            throw .malformed("Idempotency-Key has not 1 to \(idempotencyKeyByteLimit) bytes")
        }
        return IdempotencyMemory.Key(
            owner: key.owner,
            user: key.user,
            method: request.head.methodName,
            target: Array(request.head.bytes[request.head.target]),
            value: value
        )
    }

    /// Returns the bytes of Idempotency-Key, which may not be UTF-8; several fields are joined by
    /// ", ".
    private static func idempotencyKeyBytes(_ head: RequestHead) -> [UInt8] {
        let values = head.fields.lazy.filter { $0.known == .idempotencyKey }
        return Array(values.map { head.bytes[$0.value] }.joined(separator: Array(", ".utf8)))
    }

    /// Checks whether the feed exists, if it must, and whether the request's conditions hold.
    ///
    /// - Parameter now: The seconds since 1970.
    /// - Throws: `404` if the feed must exist and does not, `412` if a condition does not hold.
    func check(_ current: Version?, at now: Int) throws(Problem) {
        if needsFeed, current == nil { throw .noFeed }
        let exists = item.map { current?.snapshot.item($0) != nil } ?? (current != nil)
        try conditions.check(current, targetExists: exists, at: now)
    }
}

/// The conditions of a publish (RFC 9110 §13.1): tags and dates are compared with the feed's
/// version, `*` matches if the target, a feed or an item, exists.
struct WriteConditions: Sendable {
    /// The value of If-Match, which is well-formed; `nil` without the field.
    private let match: [UInt8]?
    /// The value of If-None-Match, which is well-formed; `nil` without the field.
    private let noneMatch: [UInt8]?
    /// The value of If-Unmodified-Since, an HTTP date (RFC 9110 §5.6.7); `nil` without the field,
    /// or if If-Match is present and overrides it (§13.1.4).
    private let unmodifiedSince: String?

    /// Reads the conditions of a request.
    ///
    /// - Throws: `400` for a malformed field.
    init(_ head: RequestHead) throws(Problem) {
        match = try WriteConditions.tags(.ifMatch, "If-Match", head)
        noneMatch = try WriteConditions.tags(.ifNoneMatch, "If-None-Match", head)
        unmodifiedSince = match == nil ? head.value(.ifUnmodifiedSince) : nil
        if let unmodifiedSince, HTTPDate.parse(unmodifiedSince, now: 0) == nil {
            throw .malformed("If-Unmodified-Since is no date (RFC 9110, 5.6.7)")
        }
    }

    /// Returns the value of a field that must be `*` or a list of entity tags; `nil` without the
    /// field.
    private static func tags(
        _ field: KnownField,
        _ name: String,
        _ head: RequestHead
    ) throws(Problem) -> [UInt8]? {
        guard let value = head.value(field).map({ Array($0.utf8) }) else { return nil }
        var count = 0
        guard value.span.scanEntityTags(lenient: false, { _, _ in count += 1 }) == nil else {
            return value
        }
        let position = count == 0 ? "" : ": what follows the first \(count) is none"
        throw .malformed("\(name) is neither * nor a list of entity tags in quotes\(position)")
    }

    /// Checks the conditions.
    ///
    /// - Parameter now: The seconds since 1970.
    /// - Throws: `412` if a condition does not hold.
    func check(_ current: Version?, targetExists exists: Bool, at now: Int) throws(Problem) {
        if let match {
            if !WriteConditions.matches(match, current, exists, isStrong: true) {
                throw failure("If-Match does not hold", current?.token)
            }
        }
        if let unmodifiedSince, let date = HTTPDate.parse(unmodifiedSince, now: now),
            current?.isUnmodified(since: date) != true
        {
            throw failure("If-Unmodified-Since does not hold", current?.token)
        }
        if let noneMatch, WriteConditions.matches(noneMatch, current, exists, isStrong: false) {
            throw failure("If-None-Match does not hold", current?.token)
        }
    }

    private func failure(_ reason: String, _ current: Token?) -> Problem {
        let now = current.map { "the feed is at \($0)" } ?? "there is no such feed"
        var problem = Problem(.precondition, .preconditionFailed, "\(reason): \(now)")
        problem.token = current
        return problem
    }

    /// Returns whether a list of tags names the current version, or is `*` and the target exists.
    ///
    /// - Parameter isStrong: Whether weak tags never match (RFC 9110 §8.8.3.2).
    private static func matches(
        _ value: [UInt8],
        _ current: Version?,
        _ exists: Bool,
        isStrong: Bool
    ) -> Bool {
        let tag = current.map { EntityTag($0.token) }
        var isNamed = false
        let form = value.span.scanEntityTags(lenient: false) { range, isWeak in
            guard let tag, !(isStrong && isWeak) else { return }
            if tag.isNamed(in: value.span, range) { isNamed = true }
        }
        return if case .any = form { exists } else { isNamed }
    }
}

extension Version {
    /// Returns whether nothing was published after a date: the date is later than the version's
    /// second, or equals it and no other version was published in that second.
    fileprivate func isUnmodified(since date: Int) -> Bool {
        second < date || lastModified(at: .max) == date
    }
}
