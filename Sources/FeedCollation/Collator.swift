import Synchronization

#if canImport(_FoundationICU)
import _FoundationICU
#endif

/// A locale's order of strings, to the tertiary level: letters, then their marks, then case and
/// width (UTS 10).
///
/// `String.compare(_:options:range:locale:)` has the same orders, from the same library, but
/// compares only pairs: 10,000 names took 550 ms to sort and their sort keys 20 ms. The library
/// is the part of Foundation that it takes its data from, so that there is one copy of them in a
/// process and one version of the answers; a system's own ICU would be a second one.
final class Collator: Sendable {
    private let handle: Mutex<Handle>

    /// Opens the order of a locale; one without an order of its own has that of its language, or
    /// the root's.
    ///
    /// - Returns: `nil` when the library has no data at all, or is not there (``isAvailable``).
    init?(locale: String) {
        guard let handle = Handle(locale: locale) else { return nil }
        self.handle = Mutex(handle)
    }

    /// Whether there is a library: on Apple's systems Foundation does not give its own away.
    static var isAvailable: Bool {
        #if canImport(_FoundationICU)
        true
        #else
        false
        #endif
    }

    /// The position of `string` in the order.
    ///
    /// Of very many marks the first count (``Swift/String/boundedForCollation``).
    func key(for string: String) -> CollationKey {
        let string = string.boundedForCollation
        return handle.withLock { $0.key(for: string) }
    }
}

#if canImport(_FoundationICU)

/// The library's collator, of one owner.
private struct Handle: ~Copyable {
    private let collator: OpaquePointer

    /// Where keys are made; it grows to the longest.
    private var buffer = [UInt8](repeating: 0, count: 256)

    init?(locale: String) {
        var status = U_ZERO_ERROR
        guard let collator = swift_ucol_open(locale, &status), status.rawValue <= 0 else {
            return nil
        }
        self.collator = collator
        // Without it marks in a rare order sort as they stand, not as what they are equal to.
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

    /// - Returns: The length that the whole key has, with the zero at its end.
    private mutating func writeKey(for text: [UInt16]) -> Int {
        let capacity = Int32(buffer.count)
        return Int(swift_ucol_getSortKey(collator, text, Int32(text.count), &buffer, capacity))
    }
}

#else

/// A collator where there is no library: none can be made.
private struct Handle: ~Copyable {
    init?(locale: String) { return nil }

    mutating func key(for string: String) -> CollationKey { CollationKey([]) }
}

#endif
