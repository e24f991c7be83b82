import CLinux
import Glibc
import Platform

/// The result of a call on a non-blocking descriptor.
enum Transfer: Equatable {
    /// The number of bytes transferred; 0 at the end of input.
    case bytes(Int)
    /// No bytes could be transferred now; wait until the descriptor is ready.
    case blocked
    /// The peer is gone or the descriptor is unusable.
    case failed
}

/// Makes the system calls of this module, and turns `errno` into results and errors.
enum System {
    /// Makes a call, repeats it when a signal interrupts it, and throws on any other error.
    @discardableResult
    static func check(_ call: String, _ body: () -> CInt) throws(SystemError) -> CInt {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw SystemError(call: call, code: code) }
        }
    }

    /// Makes a read or write call on a non-blocking descriptor and classifies its result.
    @inline(__always)
    static func transfer(_ body: () -> Int) -> Transfer {
        while true {
            let count = body()
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .blocked
            default: return .failed
            }
        }
    }

    static func receive(
        _ descriptor: CInt,
        into buffer: UnsafeMutableRawBufferPointer,
        _ flags: CInt = 0
    ) -> Transfer {
        transfer { recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    }

    static func send(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Transfer {
        transfer { Glibc.send(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL)) }
    }

    /// Sends two buffers with one call.
    static func send(
        _ descriptor: CInt,
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer
    ) -> Transfer {
        var vectors = (
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress),
                iov_len: first.count
            ),
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress),
                iov_len: second.count
            )
        )
        return withUnsafeMutablePointer(to: &vectors) { pair in
            pair.withMemoryRebound(to: iovec.self, capacity: 2) { vector in
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 2
                return transfer { sendmsg(descriptor, &message, CInt(MSG_NOSIGNAL)) }
            }
        }
    }

    /// Sends a part of a file without copying it through the program.
    static func send(_ descriptor: CInt, file: CInt, range: Range<Int>) -> Transfer {
        var offset = off_t(range.lowerBound)
        return transfer { sendfile(descriptor, file, &offset, range.count) }
    }

    static func setOption(_ descriptor: CInt, _ level: CInt, _ option: CInt, to value: CInt) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Makes closing the socket drop unsent output and reset the connection (socket(7), SO_LINGER).
    static func dropOutputOnClose(of descriptor: CInt) {
        var value = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, size)
    }

    /// Returns the milliseconds of a monotonic clock, as of the last timer interrupt, which costs
    /// less than the exact time.
    static func monotonicMilliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Returns the nanoseconds of a monotonic clock.
    static func monotonicNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the nanoseconds since 1970.
    static func wallNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the seconds since 1970, as of the last timer interrupt.
    static func wallSeconds() -> Int { wallTime().tv_sec }

    /// Returns the time since 1970 as of the last timer interrupt, which the kernel also stamps
    /// files with.
    static func wallTime() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time
    }
}
