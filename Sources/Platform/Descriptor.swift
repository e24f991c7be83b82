import Glibc

/// The only owner of an open file descriptor, which it closes exactly once.
package struct Descriptor: ~Copyable, Sendable {
    /// The number of the descriptor, for system calls; it must not be stored, because it may be
    /// another file's after this owner is gone.
    package let rawValue: CInt

    /// Takes over an open descriptor.
    package init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    deinit { _ = Glibc.close(rawValue) }

    /// Returns the descriptor without closing it; the caller becomes its owner.
    package consuming func release() -> CInt {
        let value = rawValue
        discard self
        return value
    }
}
