import COpenSSL

/// An error in this thread's OpenSSL error queue (ERR_get_error(3)).
struct OpenSSLError {
    let code: UInt

    /// The error that was added last.
    static var last: OpenSSLError { OpenSSLError(code: ERR_peek_last_error()) }

    /// OpenSSL's message for the error.
    var reason: String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Whether OpenSSL found no PEM text, or no more of it.
    var isNoStartLine: Bool {
        code >> 23 & 0xff == UInt(ERR_LIB_PEM) && code & 0x7f_ffff == UInt(PEM_R_NO_START_LINE)
    }
}
