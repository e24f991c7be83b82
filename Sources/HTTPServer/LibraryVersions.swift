import COpenSSL
import CZlib

/// The versions of the system libraries that are loaded.
package enum LibraryVersions {
    /// The version of OpenSSL, such as "3.0.15" (OpenSSL_version(3)).
    package static var openSSL: String {
        let text = String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
        return text.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init)
            ?? text
    }

    /// The version of zlib, such as "1.2.13".
    package static var zlib: String { String(cString: zlibVersion()) }
}
