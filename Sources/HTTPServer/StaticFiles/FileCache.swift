import Gzip
import HTTPWire
import Synchronization

/// A cache of a folder's files, in two tables with one limit: responses with small files, which are
/// used for a while without a look at the disk, and compressed contents.
///
/// When a response is older than ``interval``, the next request has its file checked, while other
/// requests still get the cached response. A response older than twice ``interval`` is not used. So
/// a change shows within two intervals. Requests that wait for the same compressed content have it
/// made once.
final class FileCache: Sendable {
    /// A response with a file, and the `304` for clients that have the file.
    private struct Entry: Sendable {
        let path: [UInt8]
        let choice: CodingChoice
        let whole: Payload
        let notModified: Payload
        let tag: EntityTag
        let coding: ContentCoding
        /// The time at which the file was checked, in milliseconds.
        var checked: Int
        var isBeingChecked = false

        var byteCount: Int { whole.bodyByteCount + path.count + FileCache.entryByteCount }
    }

    private struct State {
        /// The responses by a hash of path and coding; of two with the same hash, the later one
        /// stays.
        var responses: [Int: Entry] = [:]
        /// The compressed contents by the ETag that they are sent with.
        var coded: [String: [UInt8]] = [:]
        var byteCount = 0

        /// Counts `count` bytes for a new entry, and first forgets all entries if there would be
        /// more than `limit`.
        ///
        /// - Returns: The forgotten entries, to be freed after the lock is released.
        mutating func makeRoom(for count: Int, within limit: Int) -> State {
            var forgotten = State()
            if byteCount + count > limit { swap(&forgotten, &self) }
            byteCount += count
            return forgotten
        }
    }

    private let state = Mutex(State())
    /// The callers that wait for a content that is being compressed.
    private let waiting = Mutex<[String: [@Sendable ([UInt8]?) -> Void]]>([:])
    private let byteLimit: Int
    /// The time in milliseconds before a file is checked again; 0: no response is cached.
    private let interval: Int
    private let clock: @Sendable () -> Int

    /// The approximate memory of an entry beside path and content, in bytes.
    private static let entryByteCount = 2000

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: The most bytes that are kept.
    ///   - interval: The time in milliseconds before a file is checked again; 0: no response is
    ///     cached.
    ///   - clock: Returns milliseconds; never goes back.
    init(byteLimit: Int = 48 << 20, interval: Int, clock: @escaping @Sendable () -> Int) {
        self.byteLimit = byteLimit
        self.interval = interval
        self.clock = clock
    }

    /// The number of bytes that are kept.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Returns the current time in milliseconds, to be passed to ``keep(_:for:checked:)``.
    func now() -> Int { clock() }
}

/// Responses.
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

    /// Caches the response with a file for later requests that are like this one, unless it
    /// depends on other fields, too.
    ///
    /// - Parameters:
    ///   - file: The file as it was sent.
    ///   - head: The request.
    ///   - checked: The time at which the file was checked.
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

/// Compressed contents.
extension FileCache {
    /// The sizes in bytes of contents that are compressed; larger ones would keep a client waiting.
    static let codedByteCounts = ContentCoding.leastContentByteCount...(4 << 20)

    /// Finds a compressed content, or makes it on the thread of the first caller that asks for it.
    ///
    /// - Parameters:
    ///   - plain: The file without a coding.
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
