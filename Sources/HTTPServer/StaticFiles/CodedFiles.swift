import Gzip
import HTTPWire
import Synchronization

/// A cache of compressed file contents; each is made once and kept for a while.
final class CodedFiles: Sendable {
    fileprivate struct Key: Hashable {
        let path: String
        /// The tag of the uncompressed content.
        let tag: EntityTag
        let coding: ContentCoding
        /// Whether the coding must be used even if it does not make the content smaller.
        let isForced: Bool
    }

    fileprivate struct State {
        /// The compressed contents by key; empty for a content that compression does not make
        /// smaller.
        var made: [Key: [UInt8]] = [:]
        /// The keys, the oldest first.
        var order: [Key] = []
        var byteCount = 0
        /// The callers that wait for a content that is being compressed.
        var waiting: [Key: [@Sendable ([UInt8]) -> Void]] = [:]
    }

    private let state = Mutex(State())
    private let byteLimit: Int

    /// The sizes in bytes of contents that are compressed; larger ones would keep a client waiting.
    static let contentByteCounts = ContentCoding.leastContentByteCount...(4 << 20)
    private static let countLimit = 1024

    /// - Parameter byteLimit: The most bytes that are kept.
    init(byteLimit: Int = 32 << 20) {
        self.byteLimit = byteLimit
    }

    /// The number of bytes that are kept.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Finds a compressed content, or makes it on the thread of the first caller that asks for it.
    ///
    /// - Parameters:
    ///   - plain: The whole content before compression.
    ///   - path: The file's path.
    ///   - choice: A coding other than identity.
    ///   - finish: Called once, perhaps later and on another thread; with `nil` if the content
    ///     should be sent without a coding.
    func content(
        of plain: FileRepresentation,
        at path: String,
        _ choice: CodingChoice,
        finish: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        guard let tag = plain.validators.tag,
            plain.byteCount <= CodedFiles.contentByteCounts.upperBound,
            choice.isForced || CodedFiles.contentByteCounts.contains(plain.byteCount)
        else { return finish(nil) }
        let key = Key(path: path, tag: tag, coding: choice.coding, isForced: choice.isForced)
        let take: @Sendable ([UInt8]) -> Void = { finish($0.isEmpty ? nil : $0) }
        let (made, isFirst) = state.withLock { state -> ([UInt8]?, Bool) in
            if let made = state.made[key] { return (made, false) }
            let isFirst = state.waiting[key]?.append(take) == nil
            if isFirst { state.waiting[key] = [take] }
            return (nil, isFirst)
        }
        if let made { take(made) }
        if isFirst { make(key, plain) }
    }

    private func make(_ key: Key, _ plain: FileRepresentation) {
        let content = plain.bytes()
        var coded = content.map { key.coding.compress($0) } ?? []
        if !key.isForced, !ContentCoding.isWorth(coded.count, insteadOf: content?.count ?? 0) {
            coded = []
        }
        let waiting = state.withLock { state in
            if content != nil { state.keep(coded, key, byteLimit: byteLimit) }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for take in waiting { take(coded) }
    }
}

extension CodedFiles.State {
    fileprivate mutating func keep(_ coded: [UInt8], _ key: CodedFiles.Key, byteLimit: Int) {
        made[key] = coded
        order.append(key)
        byteCount += coded.count
        while byteCount > byteLimit || order.count > CodedFiles.countLimit {
            byteCount -= made.removeValue(forKey: order.removeFirst())?.count ?? 0
        }
    }
}
