import Gzip
import HTTPWire

/// The memory layout of a cached response.
extension CachedResponse {
    struct Header {
        // The properties needed for sending are in the first 64 bytes of the object.
        var headByteCount: UInt32 = 0
        /// The length of the open field's name with its colon; 0: there is no open field.
        ///
        /// The value of an open field is a number that is filled in when the response is sent.
        var openFieldByteCount: UInt32 = 0
        var bodyByteCount: Int
        var savedByteCount = 0
        var status = 0
        /// The body, if it does not stand before the head in the same object.
        var separateBody: [UInt8]?
        var part: GzipPart?
        var coding = ContentCoding.identity
    }

    /// The object that holds a response: after its header come the body, which some requests take
    /// without the head, the head, and the open field's name.
    final class Storage: ManagedBuffer<Header, UInt8> {
        static func make(byteLimit: Int, _ header: () -> Header) -> Storage {
            let made = Storage.create(minimumCapacity: byteLimit) { _ in header() }
            return unsafeDowncast(made, to: Storage.self)
        }

        /// Adds bytes after the first `count`; all bytes together are at most `limit`.
        ///
        /// - Returns: The number of bytes after that.
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

        /// Returns a property of the header without a copy of the whole header.
        @inline(__always)
        func part<Value>(_ part: (borrowing Header) -> Value) -> Value {
            withUnsafeMutablePointerToHeader { part($0.pointee) }
        }
    }
}

/// Content that is written directly into the storage of its response.
extension CachedResponse {
    /// The content of a response, without a coding, which is written piece by piece directly into
    /// its final storage.
    package struct Draft: ~Copyable {
        /// The upper bound of a draft's bytes; a body of this length or more is stored apart.
        package static let byteLimit = WriteBuffer.copyByteLimit

        let storage: Storage
        /// The number of bytes that the object has room for.
        let room: Int
        /// The number of bytes of the complete content.
        private let wholeByteCount: Int
        /// The number of bytes of content written so far.
        package private(set) var byteCount = 0

        /// Makes an empty draft.
        ///
        /// - Parameters:
        ///   - byteCount: The number of bytes that the complete content has, below ``byteLimit``.
        ///   - headByteLimit: The most bytes that the head and the open field's name may have
        ///     together.
        package init(byteCount: Int, headByteLimit: Int) {
            precondition(byteCount < Draft.byteLimit, "the content would be kept apart")
            wholeByteCount = byteCount
            room = byteCount + headByteLimit
            storage = Storage.make(byteLimit: room) { Header(bodyByteCount: 0) }
        }

        /// Adds bytes to the content.
        @inline(__always)
        package mutating func append(_ write: (inout OutputSpan<UInt8>) -> Void) {
            byteCount = storage.write(behind: byteCount, upTo: wholeByteCount) { write(&$1) }
        }
    }
}
