import Gzip
import HTTPWire
import Synchronization

/// A cache of a folder's files, in two tables with one limit: responses with small files, which are
/// used for a while without a check of the file, and compressed contents.
///
/// When a response is older than ``interval``, the next request has its file checked, while other
/// requests still get the cached response. A response older than twice ``interval`` is not used. So
/// a change of a file shows within two intervals. A compressed content is made once for all
/// requests that wait for it.
final class FileCache: Sendable {
    /// A response with a file, and the `304` for clients that have the file.
    private struct Entry: Sendable {
        /// The path of the requests, as they send it.
        let path: [UInt8]
        /// The coding that the requests prefer.
        let choice: CodingChoice
        let whole: Payload
        let notModified: Payload
        /// The entity tag of the file without a coding.
        let tag: EntityTag
        /// The coding of the response.
        let coding: ContentCoding
        /// The time at which the file was checked, in milliseconds.
        var checked: Int
        /// Whether a request has begun to check the file.
        var isBeingChecked = false

        var byteCount: Int { whole.bodyByteCount + path.count + FileCache.entryByteCount }
    }

    private struct State {
        /// The responses by a hash of path and coding; a response replaces another one with the
        /// same hash.
        var responses: [Int: Entry] = [:]
        /// The compressed contents by the ETag that they are sent with.
        var coded: [String: [UInt8]] = [:]
        var byteCount = 0

        /// Counts `count` bytes for a new entry, and first drops all entries if there would be more
        /// than `limit` bytes; returns these, to be freed after the lock is released.
        mutating func makeRoom(for count: Int, within limit: Int) -> State {
            var forgotten = State()
            if byteCount + count > limit { swap(&forgotten, &self) }
            byteCount += count
            return forgotten
        }
    }

    private let state = Mutex(State())
    /// The callers that wait for a content that is being compressed, by its ETag.
    private let waiting = Mutex<[String: [@Sendable ([UInt8]?) -> Void]]>([:])
    private let byteLimit: Int
    private let interval: Int
    private let clock: @Sendable () -> Int

    /// The approximate memory of an entry beside path and content, in bytes.
    private static let entryByteCount = 2000

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - interval: The time in milliseconds before a file is checked again; 0: no response is
    ///     cached.
    ///   - clock: Returns milliseconds; never goes back.
    init(byteLimit: Int = 48 << 20, interval: Int, clock: @escaping @Sendable () -> Int) {
        self.byteLimit = byteLimit
        self.interval = interval
        self.clock = clock
    }

    /// The approximate number of bytes of the cache.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Returns the current time in milliseconds, to be passed to ``keep(_:for:checked:)``.
    func now() -> Int { clock() }
}

/// Caches responses.
extension FileCache {
    /// The most bytes of content of a cached response.
    static let contentByteLimit = 256 << 10

    /// Returns the cached response to a request, if there is one.
    func response(to head: RequestHead) -> Payload? {
        guard interval > 0, let path = FileCache.path(of: head) else { return nil }
        let codings = head.acceptEncoding
        let entry = entry(head.bytes.span.extracting(path), codings.choice)
        guard let entry else { return nil }
        let outcome = head.outcome(Validators(entry.tag, only: entry.coding), accepting: codings)
        return outcome == .send ? entry.whole : entry.notModified
    }

    /// Returns the entry for a path and a coding; `nil` if there is none, or if the caller must
    /// check the file.
    private func entry(_ path: Span<UInt8>, _ choice: CodingChoice) -> Entry? {
        let hash = FileCache.hash(path, choice)
        let now = clock()
        return state.withLock { state in
            guard let entry = state.responses[hash], entry.choice == choice,
                entry.path.count == path.count, path.isSame(path.indices, as: entry.path.span)
            else { return nil }
            let age = now - entry.checked
            if age < interval || age < 2 * interval && entry.isBeingChecked { return entry }
            state.responses[hash]?.isBeingChecked = true
            return nil
        }
    }

    /// Caches the response with a file for later requests with the same path and coding, unless the
    /// response depends on other fields of the request.
    ///
    /// - Parameter checked: The time at which the file was checked, from ``now()``.
    func keep(_ file: FileRepresentation, for head: RequestHead, checked: Int) {
        guard interval > 0, let path = FileCache.path(of: head),
            let (tag, whole, notModified) = file.payloads()
        else { return }
        let entry = Entry(
            path: Array(head.bytes[path]),
            choice: head.acceptEncoding.choice,
            whole: whole,
            notModified: notModified,
            tag: tag,
            coding: file.coding,
            checked: checked
        )
        let hash = FileCache.hash(entry.path.span, entry.choice)
        let forgotten = state.withLock { state in
            let forgotten = state.makeRoom(for: entry.byteCount, within: byteLimit)
            let old = state.responses.updateValue(entry, forKey: hash)
            state.byteCount -= old?.byteCount ?? 0
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Returns the range of the path, if the response depends only on the path, the coding and
    /// If-None-Match; otherwise `nil`.
    private static func path(of head: RequestHead) -> Range<Int>? {
        guard !head.has(.range), !head.has(.ifRange), !head.has(.ifMatch),
            !head.has(.ifUnmodifiedSince),
            head.has(.ifNoneMatch) || !head.has(.ifModifiedSince),
            head.targetParts.hasSegments
        else { return nil }
        return head.targetParts.path
    }

    private static func hash(_ path: Span<UInt8>, _ choice: CodingChoice) -> Int {
        var hasher = Hasher()
        path.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(choice)
        return hasher.finalize()
    }
}

/// Makes and caches compressed contents.
extension FileCache {
    /// The sizes in bytes of contents that are compressed; compressing larger ones takes too long.
    static let codedByteCounts = ContentCoding.leastContentByteCount...(4 << 20)

    /// Finds a compressed content, or makes it on the thread of the first caller that asks for it.
    ///
    /// - Parameters:
    ///   - choice: A coding other than identity.
    ///   - finish: Called once, perhaps later and on another thread, with the file to be sent: with
    ///     the compressed content, or `plain` if it should be sent without a coding.
    func coded(
        _ plain: FileRepresentation,
        _ choice: CodingChoice,
        finish: @escaping @Sendable (FileRepresentation) -> Void
    ) {
        guard let tag = plain.validators.tag?.text(choice.coding),
            plain.byteCount <= FileCache.codedByteCounts.upperBound,
            choice.isForced || FileCache.codedByteCounts.contains(plain.byteCount)
        else { return finish(plain) }
        let take: @Sendable ([UInt8]?) -> Void = { coded in
            guard let coded,
                choice.isForced || ContentCoding.isWorth(coded.count, insteadOf: plain.byteCount)
            else { return finish(plain) }
            finish(plain.coded(coded, as: choice.coding))
        }
        if let made = state.withLock({ $0.coded[tag] }) { return take(made) }
        let isFirst = waiting.withLock { waiting in
            waiting[tag, default: []].append(take)
            return waiting[tag]?.count == 1
        }
        guard isFirst else { return }
        let coded =
            state.withLock { $0.coded[tag] }
            ?? plain.bytes().map { keep(choice.coding.compress($0), tag) }
        for take in waiting.withLock({ $0.removeValue(forKey: tag) ?? [] }) { take(coded) }
    }

    /// Caches a compressed content, and returns it.
    private func keep(_ coded: [UInt8], _ tag: String) -> [UInt8] {
        let forgotten = state.withLock { state in
            let byteCount = coded.count + FileCache.entryByteCount
            let forgotten = state.makeRoom(for: byteCount, within: byteLimit)
            state.coded[tag] = coded
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
        return coded
    }
}
