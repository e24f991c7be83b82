/// Appending of bytes, texts and numbers to existing storage, without allocating.
extension OutputSpan<UInt8> {
    /// Adds all of `bytes`; there must be room for them.
    @inlinable @inline(__always)
    package mutating func append(bytesOf bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(copying: $0) }
    }

    /// Adds the bytes of a range; there must be room for them.
    @inlinable @inline(__always)
    package mutating func append(bytesOf bytes: [UInt8], in range: Range<Int>) {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe append(copying: UnsafeBufferPointer(rebasing: $0[range]))
        }
    }

    /// Adds all bytes of a buffer; there must be room for them.
    @inlinable @inline(__always)
    package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        unsafe withUnsafeMutableBufferPointer { room, count in
            precondition(bytes.count <= room.count - count, "there is no room for the bytes")
            _ = unsafe UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(from: bytes)
            count += bytes.count
        }
    }

    /// Adds the bytes of a literal; there must be room for them.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        // The compiler made the text, so its pointer and length are right.
        unsafe append(
            copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Adds a number, at least 0, in decimal digits; there must be room for them.
    @inlinable package mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// The most decimal digits of an `Int` that is not negative.
    @inlinable package static var decimalByteLimit: Int { 19 }
}

extension [UInt8] {
    /// Adds the bytes of an array through a pointer, because `append(contentsOf:)` would also
    /// retain `other`.
    package mutating func append(bytesOf other: [UInt8]) {
        unsafe other.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Adds a number, at least 0, in hexadecimal digits.
    package mutating func append(hexadecimal number: Int) {
        if number > 15 { append(hexadecimal: number >> 4) }
        let digit = UInt8(truncatingIfNeeded: number & 15)
        append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }

    /// Adds a number, at least 0, in decimal digits.
    package mutating func append(decimal number: Int) {
        append(addingCapacity: OutputSpan<UInt8>.decimalByteLimit) { $0.append(decimal: number) }
    }
}
