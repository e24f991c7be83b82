package import HTTPServer

/// Makes a stream of a test plain, unless it says otherwise: it has no topics, no memory of its own
/// and no end, and sends nothing while it is idle or at its end.
extension ResponseStream {
    package var topics: [Topic] { [] }

    package var byteCount: Int { 0 }

    package var time: Duration? { nil }

    package func idlePart() -> [UInt8] { [] }

    package func ending() -> [UInt8] { [] }
}
