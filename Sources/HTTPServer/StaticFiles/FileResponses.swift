import HTTPTypes
import HTTPWire
import Synchronization

/// A cache of responses with small files, each usable for a while without a look at the disk.
///
/// When a response is older than ``interval``, the next request has its file checked, while other
/// requests still get the cached response. A response older than twice ``interval`` is not used. So
/// a change shows within two intervals.
final class FileResponses: Sendable {
    /// The key of a response: a path as it is written in requests, and a content coding.
    struct Key: Sendable {
        let path: [UInt8]
        let choice: CodingChoice

        /// - Returns: `nil` for a request whose response depends on other fields, too.
        init?(_ head: RequestHead) {
            guard let places = FileResponses.path(of: head) else { return nil }
            path = Array(head.bytes[places])
            choice = head.acceptEncoding.choice
        }
    }

    /// A cached response with a file, and the `304` for clients that have the file.
    struct Entry: Sendable {
        let key: Key
        let whole: Payload
        let notModified: Payload
        let tag: EntityTag
        let coding: ContentCoding
        /// The time at which the file was checked, in milliseconds.
        var checked: Int
        var isBeingChecked = false

        fileprivate var byteCount: Int { whole.bodyByteCount + key.path.count + 2000 }
    }

    private struct State {
        /// The entries by a hash of the key; of two keys with the same hash, the later one stays.
        var entries: [Int: Entry] = [:]
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let interval: Int
    private let clock: @Sendable () -> Int

    /// The most bytes of content of a cached response.
    static let contentByteLimit = 256 << 10
    private static let byteLimit = 16 << 20

    /// - Parameters:
    ///   - interval: The time in milliseconds before a file is checked again; 0: no response is
    ///     cached.
    ///   - clock: Returns milliseconds; never goes back.
    init(interval: Int, clock: @escaping @Sendable () -> Int) {
        self.interval = interval
        self.clock = clock
    }

    /// Returns the cached response to a request, if there is one.
    func response(to head: RequestHead) -> Payload? {
        guard interval > 0, let path = FileResponses.path(of: head) else { return nil }
        let codings = head.acceptEncoding
        let entry = entry(head.bytes.span.extracting(path), codings.choice)
        guard let entry else { return nil }
        let outcome = head.outcome(Validators(entry.tag, only: entry.coding), accepting: codings)
        return outcome == .send ? entry.whole : entry.notModified
    }

    private func entry(_ path: Span<UInt8>, _ choice: CodingChoice) -> Entry? {
        let hash = FileResponses.hash(path, choice)
        let now = clock()
        return state.withLock { state in
            guard let entry = state.entries[hash], entry.key.choice == choice,
                entry.key.path.count == path.count,
                path.isSame(path.indices, as: entry.key.path.span)
            else { return nil }
            let age = now - entry.checked
            if age < interval || age < 2 * interval && entry.isBeingChecked { return entry }
            state.entries[hash]?.isBeingChecked = true
            return nil
        }
    }

    /// Returns the time in milliseconds, for ``Entry/checked``.
    func now() -> Int { clock() }

    /// Caches a response.
    func keep(_ entry: Entry) {
        guard interval > 0 else { return }
        let hash = FileResponses.hash(entry.key.path.span, entry.key.choice)
        // The replaced entries are freed after the lock is released.
        let forgotten = state.withLock { state in
            var forgotten = State()
            if state.byteCount + entry.byteCount > FileResponses.byteLimit {
                swap(&forgotten, &state)
            }
            let old = state.entries.updateValue(entry, forKey: hash)
            state.byteCount += entry.byteCount - (old?.byteCount ?? 0)
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
