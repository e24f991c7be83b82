/// Content in gzip (RFC 1952), of no more than so many bytes when it is decoded.
package struct CodedContent: Sendable {
    private let bytes: [UInt8]
    private let byteLimit: Int

    /// Bytes taken between two looks whether it is still wanted; they become 4 MiB at most.
    private static let part = 4 << 10

    init(_ bytes: [UInt8], byteLimit: Int) {
        self.bytes = bytes
        self.byteLimit = byteLimit
    }

    package var byteCount: Int { bytes.count }

    func decoded(while isWanted: () -> Bool) throws(BodyRefusal) -> [UInt8]? {
        let inflater = Inflater(byteLimit: byteLimit)
        var output: [UInt8] = []
        output.reserveCapacity(min(announcedByteCount, byteLimit))
        var start = 0
        do throws(Inflater.Failure) {
            while start < bytes.count {
                guard isWanted() else { return nil }
                let end = min(start + CodedContent.part, bytes.count)
                try inflater.decode(Array(bytes[start..<end]), into: &output)
                start = end
            }
            guard inflater.isAtEnd else { throw .truncated }
        } catch {
            throw BodyRefusal(error, byteLimit: byteLimit)
        }
        return output
    }

    /// How long the last member says that it is decoded (RFC 1952 §2.3.1); it may be wrong.
    private var announcedByteCount: Int {
        bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
