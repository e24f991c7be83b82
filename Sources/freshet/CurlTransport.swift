import FeedClient
import Foundation
import HTTPClient

/// The transport of the command's requests: with certificate authorities of the user's choice, and
/// by the proxy that the environment names.
extension CurlTransport {
    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - authorities: A file of certificates in PEM that are trusted instead of the system's.
    ///   - verifiesServers: Whether a server's certificate is checked.
    /// - Throws: ``CommandFailure`` where the system has no thread left.
    convenience init(authorities: String?, verifiesServers: Bool) throws(CommandFailure) {
        self.init(
            try CurlTransport.client(authorities: authorities, verifiesServers: verifiesServers)
        )
    }

    /// Returns the client by which commands ask servers; the arguments are those of the
    /// initializer.
    static func client(
        authorities: String?,
        verifiesServers: Bool
    ) throws(CommandFailure) -> HTTPClient {
        if let authorities { try checkAuthorities(authorities) }
        var settings = HTTPClient.Settings()
        settings.userAgent = "freshet/\(Freshet.version)"
        settings.authorities = authorities
        settings.verifiesServers = verifiesServers
        let variables = ProcessInfo.processInfo.environment
        settings.proxy = variables["https_proxy"] ?? variables["HTTPS_PROXY"]
        do {
            return try HTTPClient(settings)
        } catch {
            throw .other("\(error)")
        }
    }

    /// Refuses a file of certificates that cannot be read; libcurl's message would say less.
    static func checkAuthorities(_ path: String) throws(CommandFailure) {
        do throws(FileContents.Failure) {
            _ = try FileContents.read(path)
        } catch {
            throw .usage("cannot read \(path): \(error.reason) (--cacert, FRESHET_CACERT)")
        }
    }
}
