import Foundation

/// A self-signed certificate and its key, in files.
struct Certificate {
    let chain: String
    let key: String

    /// Makes a certificate for two days.
    init(in lab: Lab) throws {
        let openssl = try Tool.find("openssl", package: "openssl")
        chain = lab.folder.appending(path: "certificate.pem").path
        key = lab.folder.appending(path: "key.pem").path
        _ = try Tool.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", chain,
            ]
        )
    }
}
