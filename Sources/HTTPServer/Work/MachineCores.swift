import Glibc

/// The processors that may be used.
package enum MachineCores {
    /// How many are online, at least 1.
    package static let count = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
}
