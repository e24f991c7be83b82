import FeedDiff
import Gzip
import HTTPServer

/// The state that all event streams have: the reader's key, the configuration, and the content
/// coding.
struct StreamSession: Sendable {
    /// The reader's key, with the rights that it has in ``api``; `nil`: the reader has no key.
    private(set) var caller: AccessKey?
    let isGzip: Bool
    /// The checksum and the length of the gzip stream, used only if ``isGzip``; events are
    /// compressed before they are added.
    private var frame = GzipFrame()
    /// Whether ``beginning()`` has returned the first bytes.
    private var isBegun = false
    private let service: Service
    /// The configuration that the stream uses; `nil` until the first ``renew()``.
    private var api: FeedAPI?
    /// The number of that configuration; -1: none.
    private var generation = -1

    init(_ caller: AccessKey?, _ service: Service, isGzip: Bool) {
        self.caller = caller
        self.service = service
        self.isGzip = isGzip
    }

    /// Changes to the newest configuration.
    ///
    /// - Returns: The newest configuration; if it has replaced another one in this call, `before`
    ///   is the replaced configuration with the reader's rights in it. `nil` if the server has
    ///   ended or the reader's key is no longer valid.
    mutating func renew() -> (api: FeedAPI, before: (api: FeedAPI, caller: AccessKey?)?)? {
        let generation = service.generation
        if generation == self.generation { return api.map { ($0, nil) } }
        guard let api = service.newestAPI else { return nil }
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
    /// No empty line follows the line `retry`, which so becomes part of the first event: some
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

    /// Returns a comment that keeps the connection alive; no empty line follows the comment,
    /// because that would end the block that begins with `retry`.
    mutating func idlePart() -> [UInt8] {
        guard isGzip else { return Array(":\n".utf8) }
        var bytes: [UInt8] = []
        frame.appendComment(to: &bytes)
        return bytes
    }

    /// Adds an event to the checksum of the gzip stream; the caller sends the event's cached bytes.
    mutating func add(_ event: Payload) {
        if isGzip, let part = event.part { frame.add(part) }
    }

    /// Returns bytes that only this stream sends, in its content coding; gzip stores them without
    /// compression.
    mutating func coded(_ bytes: [UInt8]) -> [UInt8] {
        guard isGzip else { return bytes }
        var coded: [UInt8] = []
        frame.store(in: &coded) { $0 += bytes }
        return coded
    }

    /// Returns the event that reports a feed as missing.
    ///
    /// - Parameters:
    ///   - name: The name that the client asked for, which may be no valid one.
    ///   - end: The end of the event: the line with its id, and an empty line.
    mutating func missing(_ name: String, end: [UInt8]) -> [UInt8] {
        let data = Array("event: missing\ndata: ".utf8) + DocumentEncoder.missing(name)
        return coded(data + [UInt8(ascii: "\n")] + end)
    }

    /// Returns the last bytes of the stream; empty unless the stream is in gzip.
    func ending() -> [UInt8] {
        guard isGzip else { return [] }
        var bytes: [UInt8] = []
        if !isBegun { frame.appendHeader(to: &bytes) }
        frame.appendTrailer(to: &bytes)
        return bytes
    }
}
