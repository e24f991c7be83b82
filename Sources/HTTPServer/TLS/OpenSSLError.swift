import COpenSSL

/// An error in this thread's queue of OpenSSL (ERR_get_error(3)).
struct OpenSSLError {
    let code: UInt

    /// The one that was put in last.
    static var last: OpenSSLError { OpenSSLError(code: ERR_peek_last_error()) }

    /// In the words of OpenSSL.
    var reason: String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Whether a text without PEM, or no more of it, was the cause.
    var isNoStartLine: Bool {
        code >> 23 & 0xff == UInt(ERR_LIB_PEM) && code & 0x7f_ffff == UInt(PEM_R_NO_START_LINE)
    }
}
