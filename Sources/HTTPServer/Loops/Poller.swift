import CLinux
import Glibc
import Platform

/// An epoll set: the descriptors that one event loop watches, and the events to watch for on each.
struct Poller: ~Copyable {
    /// The events to watch for; hang-ups and errors are always reported.
    struct Interest: OptionSet {
        let rawValue: UInt32
        static let input = Interest(rawValue: EPOLLIN.rawValue)
        static let output = Interest(rawValue: EPOLLOUT.rawValue)
        /// Input, reported once when it arrives, even if it is not read (edge-triggered).
        static let edge = Interest(rawValue: EPOLLIN.rawValue | EPOLLET.rawValue)
        /// The end of the input: the peer has half-closed the connection.
        static let inputEnd = Interest(rawValue: EPOLLRDHUP.rawValue)
    }

    /// The events that epoll has reported for a descriptor.
    struct Readiness {
        private(set) var rawValue: UInt32
        /// The value with which the descriptor was added.
        let data: UInt64

        /// Adds a later event of the same descriptor.
        mutating func merge(_ other: Readiness) { rawValue |= other.rawValue }

        var isReadable: Bool { rawValue & EPOLLIN.rawValue != 0 }
        /// Whether the socket is readable or writable.
        var isReady: Bool { rawValue & (EPOLLIN.rawValue | EPOLLOUT.rawValue) != 0 }
        /// Whether the peer has half-closed the connection.
        var isInputEnded: Bool { rawValue & EPOLLRDHUP.rawValue != 0 }
        /// Whether the connection is closed in both directions, or has failed.
        var isGone: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    }

    /// The most events taken with one call.
    static let batch = 1024

    let descriptor: Descriptor
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(SystemError) {
        descriptor = Descriptor(
            owning: try System.check("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
        )
        events = .allocate(capacity: Poller.batch)
        events.initialize(repeating: epoll_event(), count: Poller.batch)
    }

    deinit { events.deallocate() }

    func add(_ target: CInt, data: UInt64, for interest: Interest) throws(SystemError) {
        try control(EPOLL_CTL_ADD, target, data: data, for: interest)
    }

    /// Adds a listening socket that is also in the sets of other loops; a new connection wakes at
    /// least one of them, not all (EPOLLEXCLUSIVE).
    func addExclusively(_ target: CInt, data: UInt64) throws(SystemError) {
        let exclusively = Interest(rawValue: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
        try control(EPOLL_CTL_ADD, target, data: data, for: exclusively)
    }

    func modify(_ target: CInt, data: UInt64, for interest: Interest) throws(SystemError) {
        try control(EPOLL_CTL_MOD, target, data: data, for: interest)
    }

    func remove(_ target: CInt) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor.rawValue, EPOLL_CTL_DEL, target, &event)
    }

    /// Waits until a descriptor is ready, or returns at once if `isPolling`; the result is the
    /// number of events.
    func wait(isPolling: Bool) -> Int {
        let time: CInt = isPolling ? 0 : -1
        let found = epoll_wait(descriptor.rawValue, events, CInt(Poller.batch), time)
        return max(0, Int(found))
    }

    /// Returns an event of the last wait.
    subscript(index: Int) -> Readiness {
        Readiness(rawValue: events[index].events, data: events[index].data.u64)
    }

    private func control(
        _ operation: CInt,
        _ target: CInt,
        data: UInt64,
        for interest: Interest
    ) throws(SystemError) {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = data
        try System.check("epoll_ctl") {
            epoll_ctl(descriptor.rawValue, operation, target, &event)
        }
    }
}
