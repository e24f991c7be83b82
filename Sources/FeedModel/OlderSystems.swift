/// What newer systems have in the standard library: the clients run on older ones, too. The `span`
/// of an array and that of a string come with macOS 26 and iOS 26; those of slices and of
/// contiguous arrays go further back.
extension String {
    /// Gives `body` the UTF-8.
    @inline(__always)
    func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let result = unsafe utf8.withContiguousStorageIfAvailable { bytes in unsafe body(bytes.span)
        }
        if let result { return result }
        // One that a system's own framework made.
        var copy = self
        return copy.withUTF8 { bytes in unsafe body(bytes.span) }
    }
}

extension Array {
    /// Whether both are the same piece of memory, which costs nothing to see.
    package func isIdentical(to other: Array) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBufferPointer { own in
            unsafe other.withUnsafeBufferPointer { unsafe own.baseAddress == $0.baseAddress }
        }
    }
}
