/// Replacements for functions of newer standard libraries, because the clients also run on older
/// systems.
///
/// The `span` of an array and of a string needs macOS 26 or iOS 26; those of slices and of
/// contiguous arrays are available on older systems.
extension String {
    /// Calls `body` with the UTF-8 of the string.
    @inline(__always)
    func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let result = unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe body(bytes.span)
        }
        if let result { return result }
        // The string was made by a framework of the system.
        var copy = self
        return copy.withUTF8 { bytes in unsafe body(bytes.span) }
    }
}

extension Array {
    /// Returns whether both share the same memory, which takes constant time.
    package func isIdentical(to other: Array) -> Bool {
        let (own, others) = (self[...], other[...])
        return own.span.isIdentical(to: others.span)
    }
}
