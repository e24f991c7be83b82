import Gzip
import HTTPServer

/// The state that all streams of events have: the reader, the configuration, and the coding of the
/// bytes.
struct StreamSession: Sendable {
    /// The reader, with its rights by ``api``.
    private(set) var caller: AccessKey?
    let isGzip: Bool
    /// The gzip stream, if the bytes have that coding; its events were compressed before.
    private var frame = GzipFrame()
    private var isBegun = false
    private let newest: NewestAPI
    /// The configuration that the stream uses, and its number.
    private var api: FeedAPI?
    private var generation = -1

    init(_ caller: AccessKey?, _ newest: NewestAPI, isGzip: Bool) {
        self.caller = caller
        self.newest = newest
        self.isGzip = isGzip
    }

    /// Changes to the newest configuration.
    ///
    /// - Returns: The configuration; if it is not the one before, also that one with the reader's
    ///   rights by it. `nil` if the server or the reader's key is gone.
    mutating func renew() -> (api: FeedAPI, before: (api: FeedAPI, caller: AccessKey?)?)? {
        let generation = newest.generation
        if generation == self.generation { return api.map { ($0, nil) } }
        guard let api = newest.api else { return nil }
        let before = self.api.map { (api: $0, caller: caller) }
        if before != nil {
            do {
                caller = try api.access.renewed(caller)
            } catch {
                return nil
            }
        }
        self.api = api
        self.generation = generation
        return (api, before)
    }

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
        var bytes: [UInt8] = []
        if isGzip { frame.appendHeader(to: &bytes) }
        return bytes + coded(Array("retry: \(Int.random(in: 1000...5000))\n".utf8))
    }

    /// Returns a comment that keeps the connection alive; no empty line follows it, which would end
    /// the block of `retry`.
    mutating func idlePart() -> [UInt8] {
        guard isGzip else { return Array(":\n".utf8) }
        var bytes: [UInt8] = []
        frame.appendComment(to: &bytes)
        return bytes
    }

    /// Adds an event to the checksum of the gzip stream; its bytes are sent as they are cached.
    mutating func add(_ event: Payload) {
        if isGzip, let part = event.part { frame.add(part) }
    }

    /// Returns bytes of this stream alone in its coding.
    mutating func coded(_ bytes: [UInt8]) -> [UInt8] {
        guard isGzip else { return bytes }
        var coded: [UInt8] = []
        frame.store(in: &coded) { $0 += bytes }
        return coded
    }

    /// Returns the last bytes of the stream.
    func ending() -> [UInt8] {
        guard isGzip else { return [] }
        var bytes: [UInt8] = []
        if !isBegun { frame.appendHeader(to: &bytes) }
        frame.appendTrailer(to: &bytes)
        return bytes
    }
}
