import Foundation

/// The servers that are measured; they end with the row.
extension Lab {
    /// The key that may publish.
    static let key = "bench"

    /// Starts the server that the benchmarks are about.
    ///
    /// - Parameters:
    ///   - options: The options of the command.
    ///   - configuration: More lines for its configuration file.
    ///   - isSecure: Whether the options have a certificate.
    /// - Returns: A server that is ready.
    /// - Throws: ``Failure`` when it does not start.
    func startFreshet(
        _ options: [String] = [],
        configuration: String = "",
        isSecure: Bool = false
    ) throws -> Server {
        let configuration = try writeConfiguration(configuration)
        let arguments = [
            "serve", "--data", "memory", "--port", "0", "--key", Lab.key, "--config",
            configuration.path,
        ]
        return try start("freshet", freshet, arguments + options, isSecure: isSecure)
    }

    /// Writes the server's configuration file.
    @discardableResult
    func writeConfiguration(_ lines: String) throws -> URL {
        let limits = "limits: {body-size: 512MiB, feed-items: 2000000}\n"
        return try write(Data((limits + lines).utf8), to: "freshet.yaml")
    }

    /// Starts another server, from this package.
    func startPeer(_ product: String, _ arguments: String...) throws -> Server {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try start(product, own.appending(path: product).path, arguments)
    }

    /// Starts nginx with files of the lab; its workers count with it.
    ///
    /// - Throws: ``MissingTool`` if nginx is not installed.
    func startNginx(_ site: NginxSite = NginxSite()) throws -> Server {
        let program = try Tool.find("nginx", package: "nginx-light")
        let port = FreePort.find()
        let text = site.configuration(port: port, folder: folder.path)
        let configuration = try write(Data(text.utf8), to: "nginx-\(port).conf")
        // nginx prints this line once its workers are being started, after it has begun to listen.
        let (processID, _) = try processes.start(
            program,
            [
                "-p", folder.path, "-c", configuration.path, "-e", "stderr",
                "-g", "error_log stderr notice;",
            ],
            until: "start worker process "
        )
        return Server(
            name: "nginx",
            processID: processID,
            port: port,
            isSecure: site.certificate != nil
        )
    }

    private func start(
        _ name: String,
        _ program: String,
        _ arguments: [String],
        isSecure: Bool = false
    ) throws -> Server {
        let (processID, line) = try processes.start(program, arguments, until: "listening on ")
        let digits = line.reversed().prefix { $0.isNumber }.reversed()
        guard let port = Int(String(digits)) else { throw Failure("\(name) named no port") }
        return Server(name: name, processID: processID, port: port, isSecure: isSecure)
    }
}
