import HTTPWire

/// Where a response is in memory.
extension CachedResponse {
    struct Header {
        // What sending looks at is in the first 64 bytes of the object.
        var headByteCount: UInt32 = 0
        /// Of the name of a field whose value is a number of the moment, with its colon; 0: there
        /// is none.
        var openFieldByteCount: UInt32 = 0
        var bodyByteCount: Int
        var savedByteCount = 0
        var status = 0
        /// The body, where it does not stand before the head.
        var separateBody: [UInt8]?
        var part: GzipPart?
        var coding = ContentCoding.identity
    }

    /// The object, with the bytes behind its header: the body, which pulls take without the head,
    /// the head, and the open field's name.
    final class Storage: ManagedBuffer<Header, UInt8> {
        static func make(byteLimit: Int, _ header: () -> Header) -> Storage {
            let made = Storage.create(minimumCapacity: byteLimit) { _ in header() }
            return unsafeDowncast(made, to: Storage.self)
        }

        /// Adds bytes behind those that are there, which are at most `limit` with them.
        ///
        /// - Returns: How many there are then.
        @discardableResult
        @inline(__always)
        func write(
            behind count: Int = 0,
            upTo limit: Int,
            _ write: (inout Header, inout OutputSpan<UInt8>) -> Void
        ) -> Int {
            withUnsafeMutablePointers { header, bytes in
                let room = UnsafeMutableBufferPointer(start: bytes, count: limit)
                var output = OutputSpan(buffer: room, initializedCount: count)
                write(&header.pointee, &output)
                return output.finalize(for: room)
            }
        }

        /// A part of the header, without a copy of all of it.
        @inline(__always)
        func part<Value>(_ part: (borrowing Header) -> Value) -> Value {
            withUnsafeMutablePointerToHeader { part($0.pointee) }
        }
    }
}

/// Content that is written where it stays.
extension CachedResponse {
    /// The content of a response, without a coding, that is written piece by piece where it stays.
    package struct Draft: ~Copyable {
        /// More bytes than this one has; a body as long is kept apart.
        package static let byteLimit = WriteBuffer.copyByteLimit

        let storage: Storage
        /// How many bytes the object may have.
        let room: Int
        /// How many the content has when it is whole.
        private let wholeByteCount: Int
        /// Bytes of the content so far.
        package private(set) var byteCount = 0

        /// An empty one.
        ///
        /// - Parameters:
        ///   - byteCount: How many bytes it will have, fewer than ``byteLimit``.
        ///   - headByteLimit: How many bytes the head and the open field's name may have.
        package init(byteCount: Int, headByteLimit: Int) {
            precondition(byteCount < Draft.byteLimit, "the content would be kept apart")
            wholeByteCount = byteCount
            room = byteCount + headByteLimit
            storage = Storage.make(byteLimit: room) { Header(bodyByteCount: 0) }
        }

        /// Adds to the content.
        @inline(__always)
        package mutating func append(_ write: (inout OutputSpan<UInt8>) -> Void) {
            byteCount = storage.write(behind: byteCount, upTo: wholeByteCount) { write(&$1) }
        }
    }
}
