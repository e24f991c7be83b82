import Foundation
import HTTPServer

/// How `freshet serve` serves, once options, variables and defaults are put together.
struct ServeSettings: Equatable {
    /// What was said at the prompt; nil or empty where nothing was.
    struct Options {
        var host: String?
        var port: Int?
        var keys: [String] = []
        var publicFolder: String?
        var certificate: String?
        var certificateKey: String?
        var loops: Int?
        var servesDemo: Bool?
    }

    var host: String
    /// 0: any that is free.
    var port: Int
    /// Each may read and write everything.
    var keys: [String]
    /// The folder of the web client; nil: none is served.
    var publicFolder: String?
    /// nil: connections are not encrypted.
    var tls: CertificateFiles?
    var loops: Int
    var servesDemo: Bool

    /// Puts options before variables before defaults.
    ///
    /// - Parameters:
    ///   - options: What was said at the prompt.
    ///   - environment: The variables.
    ///   - folderExists: Whether a folder is there, for the one that is served when nobody
    ///     names one.
    /// - Throws: ``CommandFailure`` for a value that cannot be.
    init(
        _ options: Options,
        _ environment: Environment,
        folderExists: (String) -> Bool
    ) throws(CommandFailure) {
        host = options.host ?? environment.value("host") ?? "127.0.0.1"
        port = try environment.number("port", given: options.port) ?? 8080
        loops =
            try environment.number("loops", given: options.loops)
            ?? ProcessInfo.processInfo.activeProcessorCount
        servesDemo = try environment.flag("demo", given: options.servesDemo) ?? false
        keys = options.keys
        if keys.isEmpty, let value = environment.value("key") {
            keys = value.split(separator: ",").map(String.init)
        }
        let folder = options.publicFolder ?? environment.value("public")
        publicFolder = folder ?? (folderExists("Public") ? "Public" : nil)
        tls = try ServeSettings.tls(
            certificate: options.certificate ?? environment.value("tls-cert"),
            key: options.certificateKey ?? environment.value("tls-key")
        )
        try check(folderExists)
    }

    private static func tls(
        certificate: String?,
        key: String?
    ) throws(CommandFailure) -> CertificateFiles? {
        switch (certificate, key) {
        case (nil, nil): nil
        case (let certificate?, let key?): CertificateFiles(certificate: certificate, key: key)
        case (_?, nil): throw .usage("a certificate needs its key: --tls-key (FRESHET_TLS_KEY)")
        case (nil, _?): throw .usage("a key needs its certificate: --tls-cert (FRESHET_TLS_CERT)")
        }
    }

    private func check(_ folderExists: (String) -> Bool) throws(CommandFailure) {
        guard 0...65535 ~= port else { throw .usage("no port has the number \(port)") }
        guard 1...1024 ~= loops else { throw .usage("loops must be from 1 to 1024, not \(loops)") }
        guard keys.allSatisfy(KeyText.canBeSent) else {
            throw .usage("a key has only letters, digits and - . _ ~ + / with = at its end")
        }
        if let publicFolder, !folderExists(publicFolder) {
            throw .usage("there is no folder \(publicFolder)")
        }
    }
}
