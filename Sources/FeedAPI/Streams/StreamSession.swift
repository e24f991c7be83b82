import Gzip
import HTTPServer

/// The state that every stream of events has: its reader, its configuration, and the coding of its
/// bytes.
struct StreamSession: Sendable {
    /// The effect of the newest configuration on the reader.
    enum Renewal {
        case same(FeedAPI)
        /// The reader's rights may be others.
        case other(FeedAPI, before: (api: FeedAPI, caller: Access.Caller)?)
        /// The server or the caller's key is gone.
        case over
    }

    /// The reader; its rights are looked up anew where they have changed.
    private(set) var caller: Access.Caller
    var coding: Coding
    private var isBegun = false
    private let newest: NewestAPI
    /// The configuration that it goes by, and its number.
    private var api: FeedAPI?
    private var generation = -1

    init(_ caller: Access.Caller, _ newest: NewestAPI, isGzip: Bool) {
        self.caller = caller
        self.newest = newest
        coding = Coding(isGzip: isGzip)
    }

    /// Goes by the newest configuration from now on.
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

    /// Whether the newest configuration is the one that it goes by.
    var isCurrent: Bool { generation == newest.generation }

    /// The first bytes: how long a client waits before it comes again, so that not all come at once
    /// after a stop. The line becomes part of the first event's block, as clients exist that take
    /// each block for an event.
    ///
    /// - Returns: `nil` when they were given before.
    mutating func beginning() -> [UInt8]? {
        guard !isBegun else { return nil }
        isBegun = true
        return coding.beginning(Array("retry: \(Int.random(in: 1000...5000))\n".utf8))
    }

    /// A comment that keeps the way open. No empty line follows it, which would end the block of
    /// `retry`.
    mutating func idlePart() -> [UInt8] { coding.comment() }

    func ending() -> [UInt8] { coding.ending(isBegun: isBegun) }
}

extension StreamSession {
    /// How the bytes of a stream of events are coded: as they are, or as one gzip stream whose
    /// parts were compressed before.
    struct Coding: Sendable {
        let isGzip: Bool
        private var frame = GzipFrame()

        init(isGzip: Bool) {
            self.isGzip = isGzip
        }

        /// The first bytes.
        mutating func beginning(_ bytes: [UInt8]) -> [UInt8] {
            guard isGzip else { return bytes }
            var output: [UInt8] = []
            frame.appendHeader(to: &output)
            frame.store(in: &output) { $0 += bytes }
            return output
        }

        /// Counts in an event that is sent as it is kept.
        mutating func add(_ made: Payload) {
            if isGzip, let part = made.part { frame.add(part) }
        }

        /// Makes a line that says nothing.
        mutating func comment() -> [UInt8] {
            guard isGzip else { return Array(":\n".utf8) }
            var output: [UInt8] = []
            frame.appendComment(to: &output)
            return output
        }

        /// More bytes.
        mutating func coded(_ bytes: [UInt8]) -> [UInt8] {
            guard isGzip else { return bytes }
            var output: [UInt8] = []
            frame.store(in: &output) { $0 += bytes }
            return output
        }

        /// The last bytes.
        func ending(isBegun: Bool) -> [UInt8] {
            guard isGzip else { return [] }
            var output: [UInt8] = []
            if !isBegun { frame.appendHeader(to: &output) }
            frame.appendTrailer(to: &output)
            return output
        }
    }
}
