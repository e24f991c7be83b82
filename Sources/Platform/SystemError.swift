import Glibc

/// An error of a system call that repeating the call would not help.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The system call or action that failed, and its subject, such as an address.
    package let call: String

    /// The error number (errno(3)).
    package let code: CInt

    package init(call: String, code: CInt) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(SystemError.words(code))" }

    /// Returns the system's description of an error number; the default is `errno`.
    package static func words(_ code: CInt = errno) -> String { String(cString: strerror(code)) }
}
