import Glibc

/// The only owner of an open descriptor, which it closes exactly once.
package struct Descriptor: ~Copyable, Sendable {
    /// The number of the descriptor, for system calls; not to be stored.
    package let rawValue: CInt

    /// Takes over an open descriptor.
    package init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    deinit { _ = Glibc.close(rawValue) }

    /// Gives the descriptor to another owner.
    package consuming func release() -> CInt {
        let value = rawValue
        discard self
        return value
    }
}
