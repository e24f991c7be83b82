import FeedFormats
import Foundation
import HTTPClient
import Platform

/// Checks everything that a server depends on, and changes nothing.
struct Doctor {
    /// The configuration, as the server would read it.
    let source: SettingsSource
    /// The address of the server that runs; `nil` for the one that the configuration has.
    var server: String?
    /// A file of certificates in PEM that are trusted instead of the system's.
    var authorities: String?
    /// Whether the certificate of ``server`` is checked.
    var verifiesServers = true

    /// Carries out the checks; the findings are in an order for a reader, at least one about each
    /// thing that the server has.
    func findings() async -> [Finding] {
        let (reading, configuration) = configuration()
        var findings = configuration + machine(reading?.settings)
        findings += MachineChecks.libraries.map(MachineChecks.library)
        guard let reading else { return findings }
        findings += files(reading)
        return findings + (await network(reading.settings))
    }

    /// Returns the configuration, which is read once: a pipe has nothing for a second time.
    private func configuration() -> (SettingsSource.Reading?, [Finding]) {
        let subject = "configuration"
        let advice = "the server does not start, or goes on with the one before"
        do throws(CommandFailure) {
            let reading = try source.read()
            var findings = reading.warnings.map { Finding.warn(subject, $0, nil) }
            let hasMirrorKey = reading.file.places["mirror-key"] != nil
            let hasSecrets = hasMirrorKey || reading.file.hasSecrets
            if let path = source.path,
                let finding = Doctor.permissions(path, hasSecrets: hasSecrets)
            {
                findings.append(finding)
            }
            if findings.isEmpty {
                findings = [.ok(subject, source.path ?? "no file: options and variables alone")]
            }
            return (reading, findings)
        } catch {
            let lines = error.message.split(separator: "\n")
            return (nil, lines.map { .fail(subject, String($0), advice) })
        }
    }

    /// Returns the finding about a configuration file that other users can read or change.
    ///
    /// Digests are no secrets, but other settings may be.
    private static func permissions(_ path: String, hasSecrets: Bool) -> Finding? {
        let finding = FileChecks.secret(path, "configuration")
        switch finding.level {
        case .ok: return nil
        case .warn: return hasSecrets ? finding : nil
        // A pipe can be read only once, and it was.
        case .fail: return finding.detail.hasPrefix("every user") ? finding : nil
        }
    }

    private func machine(_ settings: ServeSettings?) -> [Finding] {
        [
            MachineChecks.descriptors(limit: ProcessMetrics.descriptorLimit ?? 1024),
            MachineChecks.memory(
                byteCount: MemorySize.byteCount,
                machine: MemorySize.machineByteCount,
                feeds: (settings ?? ServeSettings()).feedsByteLimit
            ),
            MachineChecks.clock(isSynchronized: MachineChecks.isClockSynchronized),
        ]
    }

    private func files(_ reading: SettingsSource.Reading) -> [Finding] {
        let (settings, file) = (reading.settings, reading.file)
        var findings: [Finding] = []
        if let tls = settings.tls { findings += FileChecks.certificate(tls) }
        findings += file.secretFiles.map { FileChecks.secret($0, "signing key") }
        findings += file.headerFiles.map { FileChecks.secret($0, "headers") }
        if let folder = settings.publicFolder { findings.append(FileChecks.webClient(folder)) }
        if let folder = settings.feedFolder { findings += FileChecks.dataFolder(folder) }
        return findings
    }

    private func network(_ settings: ServeSettings) async -> [Finding] {
        let now = { Date().timeIntervalSince1970 }
        var findings: [Finding] = []
        if let data = settings.dataFolder, FeedStorage.isDatabase(data) {
            findings += NetworkChecks.database(data, now: now)
        }
        var isServing = false
        let url = server ?? Doctor.url(settings)
        if let url, let client = client(isNamed: server != nil) {
            let (start, shown) = (now(), WebAddress.shown(url))
            let answer = await NetworkChecks.ask(url, client)
            findings.append(NetworkChecks.server(shown, answer))
            if case .success(let answer) = answer {
                isServing = true
                if server != nil, let time = answer.time {
                    let skew = MachineChecks.skew(of: time, asked: start...max(start, now()))
                    findings.append(MachineChecks.skew(seconds: skew, from: shown))
                }
            }
        }
        let admin = settings.admin.map {
            NetworkChecks.port(host: $0.host, port: $0.port, isServing: isServing)
        }
        return findings
            + [NetworkChecks.port(host: settings.host, port: settings.port, isServing: isServing)]
            + (admin.map { [$0] } ?? [])
    }

    /// Returns the client that asks the server.
    ///
    /// The certificate is not checked for an address of this machine, which no certificate has, but
    /// it is for a named server.
    private func client(isNamed: Bool) -> HTTPClient? {
        var client = HTTPClient.Settings()
        client.authorities = authorities
        client.verifiesServers = verifiesServers && isNamed
        return try? HTTPClient(client)
    }

    /// Returns the address where a server with these settings answers this machine.
    static func url(_ settings: ServeSettings) -> String? {
        if settings.port == 0 { return nil }
        let any = ["0.0.0.0": "127.0.0.1", "::": "::1", "*": "127.0.0.1"]
        return ServeCommand.url(
            host: any[settings.host] ?? settings.host,
            port: settings.port,
            isSecure: settings.tls != nil
        )
    }
}
