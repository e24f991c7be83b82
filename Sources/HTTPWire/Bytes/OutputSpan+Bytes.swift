/// Appends bytes, texts and numbers to existing storage, without an allocation.
extension OutputSpan<UInt8> {
    /// Adds all of `bytes`; there must be room for them.
    @inlinable @inline(__always)
    package mutating func append(copying bytes: Span<UInt8>) {
        guard bytes.count <= freeCapacity else {
            preconditionFailure("there is no room for the bytes")
        }
        unsafe withUnsafeMutableBufferPointer { room, count in
            let free = unsafe UnsafeMutableBufferPointer(rebasing: room[count...])
            count += unsafe bytes.withUnsafeBufferPointer { unsafe free.initialize(from: $0).1 }
        }
    }

    /// Adds the bytes of a literal; there must be room for them.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        // The compiler made the text, so its pointer and length are right.
        let bytes = unsafe UnsafeBufferPointer(
            start: text.utf8Start,
            count: text.utf8CodeUnitCount
        )
        unsafe append(copying: bytes.span)
    }

    /// Adds a number, at least 0, in decimal digits; there must be room for the digits.
    @inlinable package mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// The most decimal digits of an `Int` that is not negative.
    @inlinable package static var decimalByteLimit: Int { 19 }
}

extension [UInt8] {
    /// Adds all of `bytes` with one copy.
    ///
    /// Adding byte by byte is many times slower, and `append(contentsOf:)` with an array also
    /// counts a reference to it.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Adds a number, at least 0, in decimal digits.
    package mutating func append(decimal number: Int) {
        append(addingCapacity: OutputSpan<UInt8>.decimalByteLimit) { $0.append(decimal: number) }
    }
}
