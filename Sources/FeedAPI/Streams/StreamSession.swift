import Gzip
import HTTPServer

/// The state that all streams of events have: the reader, the configuration, and the coding of the
/// bytes.
struct StreamSession: Sendable {
    /// The effect of the newest configuration on the reader.
    enum Renewal {
        case same(FeedAPI)
        /// The configuration has changed, and with it perhaps the reader's rights.
        case other(FeedAPI, before: (api: FeedAPI, caller: Access.Caller)?)
        /// The server or the caller's key is gone.
        case over
    }

    /// The reader, with its rights by ``api``.
    private(set) var caller: Access.Caller
    var coding: Coding
    private var isBegun = false
    private let newest: NewestAPI
    /// The configuration that the stream uses, and its number.
    private var api: FeedAPI?
    private var generation = -1

    init(_ caller: Access.Caller, _ newest: NewestAPI, isGzip: Bool) {
        self.caller = caller
        self.newest = newest
        coding = Coding(isGzip: isGzip)
    }

    /// Changes to the newest configuration.
    mutating func renew() -> Renewal {
        let generation = newest.generation
        if generation == self.generation { return api.map { .same($0) } ?? .over }
        guard let api = newest.api else { return .over }
        let before = self.api.map { (api: $0, caller: caller) }
        if before != nil {
            guard let renewed = try? api.access.renewed(caller) else { return .over }
            caller = renewed
        }
        self.api = api
        self.generation = generation
        return .other(api, before: before)
    }

    /// Whether the stream uses the newest configuration.
    var isCurrent: Bool { generation == newest.generation }

    /// Returns the first bytes: the reconnection time, which is random so that not all clients come
    /// back at once after a restart.
    ///
    /// The line `retry` has no empty line after it and so becomes part of the first event: some
    /// clients take each block for an event.
    ///
    /// - Returns: `nil` if the bytes were returned before.
    mutating func beginning() -> [UInt8]? {
        guard !isBegun else { return nil }
        isBegun = true
        return coding.beginning(Array("retry: \(Int.random(in: 1000...5000))\n".utf8))
    }

    /// Returns a comment that keeps the connection alive; no empty line follows it, which would end
    /// the block of `retry`.
    mutating func idlePart() -> [UInt8] { coding.comment() }

    func ending() -> [UInt8] { coding.ending(isBegun: isBegun) }
}

extension StreamSession {
    /// The coding of a stream's bytes: none, or one gzip stream whose parts were compressed before.
    struct Coding: Sendable {
        let isGzip: Bool
        private var frame = GzipFrame()

        init(isGzip: Bool) {
            self.isGzip = isGzip
        }

        /// Returns the first bytes in the coding.
        mutating func beginning(_ bytes: [UInt8]) -> [UInt8] {
            guard isGzip else { return bytes }
            var output: [UInt8] = []
            frame.appendHeader(to: &output)
            frame.store(in: &output) { $0 += bytes }
            return output
        }

        /// Adds an event to the checksum of the gzip stream; its bytes are sent as they are cached.
        mutating func add(_ made: Payload) {
            if isGzip, let part = made.part { frame.add(part) }
        }

        /// Returns an event stream's comment in the coding.
        mutating func comment() -> [UInt8] {
            guard isGzip else { return Array(":\n".utf8) }
            var output: [UInt8] = []
            frame.appendComment(to: &output)
            return output
        }

        /// Returns further bytes in the coding.
        mutating func coded(_ bytes: [UInt8]) -> [UInt8] {
            guard isGzip else { return bytes }
            var output: [UInt8] = []
            frame.store(in: &output) { $0 += bytes }
            return output
        }

        /// Returns the last bytes.
        func ending(isBegun: Bool) -> [UInt8] {
            guard isGzip else { return [] }
            var output: [UInt8] = []
            if !isBegun { frame.appendHeader(to: &output) }
            frame.appendTrailer(to: &output)
            return output
        }
    }
}
