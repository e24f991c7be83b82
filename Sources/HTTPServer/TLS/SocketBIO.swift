import COpenSSL

/// The OpenSSL BIO type through which TLS reads and writes a socket: its calls go to ``TLSSession``
/// and raise no SIGPIPE.
final class SocketBIO {
    private let method: OpaquePointer

    init() {
        guard let method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "freshet") else {
            preconditionFailure("OpenSSL has no memory")
        }
        BIO_meth_set_read(method) { bio, bytes, count in
            guard let bio, let session = SocketBIO.session(bio) else { return -1 }
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            switch session.receiveRecords(into: buffer) {
            case .bytes(let count):
                freshet_clearRetry(bio)
                return CInt(count)
            case .blocked: freshet_setRetryRead(bio)
            case .failed: freshet_clearRetry(bio)
            }
            return -1
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bio, let session = SocketBIO.session(bio) else { return -1 }
            switch session.sendRecords(UnsafeRawBufferPointer(start: bytes, count: Int(count))) {
            case .bytes(let count):
                freshet_clearRetry(bio)
                return CInt(count)
            case .blocked: freshet_setRetryWrite(bio)
            case .failed: freshet_clearRetry(bio)
            }
            return -1
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        self.method = method
    }

    deinit { BIO_meth_free(method) }

    /// Makes a BIO that reads and writes through `session`, a ``TLSSession`` that outlives it.
    func make(_ session: UnsafeMutableRawPointer) -> OpaquePointer? {
        guard let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, session)
        return bio
    }

    private static func session(_ bio: OpaquePointer) -> TLSSession? {
        BIO_get_data(bio).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }
}
