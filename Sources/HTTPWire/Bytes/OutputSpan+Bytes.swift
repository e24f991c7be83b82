/// Writing into room that was made before: no piece looks for room of its own.
extension OutputSpan<UInt8> {
    /// Adds all of `bytes`, for which there is room.
    @inlinable @inline(__always)
    package mutating func append(bytesOf bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(copying: $0) }
    }

    /// The same of bytes by a pointer.
    @inlinable @inline(__always)
    package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { room, count in
            precondition(bytes.count <= room.count - count, "there is no room for the bytes")
            _ = unsafe UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(from: bytes)
            count += bytes.count
        }
    }

    /// The same of the bytes of a literal.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        // The compiler made the text, and says how long it is.
        unsafe append(
            copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Adds a number from 0 in digits, of which there are at most ``decimalByteLimit``.
    @inlinable package mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// The most digits that a number has.
    @inlinable package static var decimalByteLimit: Int { 19 }
}
