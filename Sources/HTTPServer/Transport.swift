import CLinux
import Glibc

/// How a connection's bytes travel: all that it receives and sends goes through here.
struct Transport: ~Copyable {
    /// The socket, non-blocking.
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        System.receive(descriptor.rawValue, into: buffer)
    }

    func send(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        System.send(descriptor.rawValue, buffer)
    }

    /// Sends two buffers with one call.
    func send(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Transfer {
        System.send(descriptor.rawValue, first, second)
    }

    /// Sends a part of a file.
    func send(_ file: OpenFile, _ range: Range<Int>) -> Transfer {
        System.send(descriptor.rawValue, file: file.descriptor.rawValue, range: range)
    }

    /// Tells the peer that nothing more will be sent.
    func endOutput() {
        shutdown(descriptor.rawValue, CInt(SHUT_WR))
    }
}
