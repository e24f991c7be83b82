extension [UInt8] {
    /// Adds bytes through a pointer, because `append(contentsOf:)` of an array also retains that
    /// array.
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
