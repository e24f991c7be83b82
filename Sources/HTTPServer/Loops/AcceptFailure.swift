import Glibc

/// What to do when a connection could not be taken.
enum AcceptFailure: Equatable {
    /// There is none.
    case none
    /// Take the next one: this one is gone.
    case next
    /// No descriptor is left: one connection can be told so in the place of the spare one.
    case full
    /// The kernel cannot do it now. Asking again at once would only burn a core.
    case pause

    /// - Parameter code: Of accept4(2).
    init(_ code: CInt) {
        switch code {
        case EAGAIN: self = .none
        case EMFILE, ENFILE: self = .full
        case ENOBUFS, ENOMEM: self = .pause
        // What Linux passes on from the network is about one connection (accept(2), "Error
        // handling").
        case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET,
            EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
            self = .next
        default: self = .pause
        }
    }
}
