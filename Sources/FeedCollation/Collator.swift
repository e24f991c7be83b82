import Synchronization

#if canImport(_FoundationICU)
import _FoundationICU
#endif

/// A locale's order of strings, to the tertiary level: letters, then their marks, then case and
/// width (UTS #10).
///
/// `String.compare(_:options:range:locale:)` has the same orders from the same library, but
/// compares pairs: to sort 10,000 names took 550 ms, and 20 ms by sort keys. The library is
/// Foundation's own ICU; a system's ICU would be a second copy of the data in the process, perhaps
/// with other answers.
final class Collator: Sendable {
    private let handle: Mutex<Handle>

    /// Opens the order of a locale; a locale without an order of its own has its language's, or the
    /// root's.
    ///
    /// - Returns: `nil` if the library has no data at all, or is not available (``isAvailable``).
    init?(locale: String) {
        guard let handle = Handle(locale: locale) else { return nil }
        self.handle = Mutex(handle)
    }

    /// Whether the library can be used; on Apple's systems, Foundation keeps it to itself.
    static var isAvailable: Bool {
        #if canImport(_FoundationICU)
        true
        #else
        false
        #endif
    }

    /// Returns the position of `string` in the order.
    ///
    /// Of very many marks in a row, only the first count (``Swift/String/boundedForCollation``).
    func key(for string: String) -> CollationKey {
        let string = string.boundedForCollation
        return handle.withLock { $0.key(for: string) }
    }
}

#if canImport(_FoundationICU)

/// The only owner of one of the library's collators, which it closes.
private struct Handle: ~Copyable {
    private let collator: OpaquePointer

    /// The buffer in which keys are made; it grows to the longest key.
    private var buffer = [UInt8](repeating: 0, count: 256)

    init?(locale: String) {
        var status = U_ZERO_ERROR
        guard let collator = swift_ucol_open(locale, &status), status.rawValue <= 0 else {
            return nil
        }
        self.collator = collator
        // Otherwise marks in a rare order would not sort like the equal text with the usual order.
        swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
        swift_ucol_setAttribute(collator, UCOL_STRENGTH, UCOL_TERTIARY, &status)
    }

    deinit {
        swift_ucol_close(collator)
    }

    mutating func key(for string: String) -> CollationKey {
        let text = Array(string.utf16)
        var count = writeKey(for: text)
        if count > buffer.count {
            buffer = [UInt8](repeating: 0, count: count)
            count = writeKey(for: text)
        }
        return CollationKey(Array(buffer[..<max(count - 1, 0)]))
    }

    /// Writes the key of a text into the buffer, as far as it fits, and returns the length of the
    /// whole key, with the zero at its end.
    private mutating func writeKey(for text: [UInt16]) -> Int {
        let capacity = Int32(buffer.count)
        return Int(swift_ucol_getSortKey(collator, text, Int32(text.count), &buffer, capacity))
    }
}

#else

/// The collator of systems without the library; it cannot be made.
private struct Handle: ~Copyable {
    init?(locale: String) { return nil }

    mutating func key(for string: String) -> CollationKey { CollationKey([]) }
}

#endif
