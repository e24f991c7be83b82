import HTTPServer

/// How the bytes of a stream of events are coded: as they are, or as one gzip stream whose parts
/// were compressed before.
struct StreamCoding: Sendable {
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

    /// More bytes, behind an event that is sent as it is kept.
    mutating func coded(_ bytes: [UInt8], after made: CachedResponse? = nil) -> [UInt8] {
        guard isGzip else { return bytes }
        if let part = made?.part { frame.add(part) }
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
