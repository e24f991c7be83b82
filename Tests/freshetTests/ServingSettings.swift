import HTTPServer
import Testing

@testable import freshet

@Suite struct ServingSettings {
    @Test func haveDefaultsForThisMachineAlone() throws {
        let settings = try settings()
        #expect(settings.host == "127.0.0.1")
        #expect(settings.port == 8080)
        #expect(settings.keys.isEmpty)
        #expect(settings.publicFolder == nil)
        #expect(settings.loops >= 1)
        #expect(!settings.servesDemo)
    }

    @Test func comeFromVariables() throws {
        let settings = try settings(variables: [
            "FRESHET_HOST": "0.0.0.0", "FRESHET_PORT": "0", "FRESHET_KEY": "one,two",
            "FRESHET_PUBLIC": "web", "FRESHET_LOOPS": "3", "FRESHET_DEMO": "yes",
        ])
        #expect(settings.host == "0.0.0.0")
        #expect(settings.port == 0)
        #expect(settings.keys == ["one", "two"])
        #expect(settings.publicFolder == "web")
        #expect(settings.loops == 3)
        #expect(settings.servesDemo)
    }

    @Test func takeOptionsBeforeVariables() throws {
        let options = ServeSettings.Options(
            host: "::1",
            port: 81,
            keys: ["three"],
            publicFolder: "Public",
            loops: 1,
            servesDemo: false
        )
        let settings = try settings(
            options,
            variables: [
                "FRESHET_HOST": "0.0.0.0", "FRESHET_PORT": "x", "FRESHET_KEY": "one",
                "FRESHET_PUBLIC": "web", "FRESHET_LOOPS": "2", "FRESHET_DEMO": "1",
            ]
        )
        #expect(settings.host == "::1")
        #expect(settings.port == 81)
        #expect(settings.keys == ["three"])
        #expect(settings.publicFolder == "Public")
        #expect(settings.loops == 1)
        #expect(!settings.servesDemo)
    }

    @Test func takeACertificateWithItsKey() throws {
        let files = CertificateFiles(certificate: "c.pem", key: "k.pem")
        #expect(try settings().tls == nil)
        #expect(try settings(.init(certificate: "c.pem", certificateKey: "k.pem")).tls == files)
        let variables = ["FRESHET_TLS_CERT": "c.pem", "FRESHET_TLS_KEY": "k.pem"]
        #expect(try settings(variables: variables).tls == files)
        for name in variables.keys {
            let one = [name: "x.pem"]
            #expect(throws: CommandFailure.self) { try settings(variables: one) }
        }
    }

    @Test func takeAnEmptyVariableForNone() throws {
        #expect(try settings(variables: ["FRESHET_PORT": "", "FRESHET_KEY": ""]).port == 8080)
    }

    @Test func serveTheWebClientWhereThereIsOne() throws {
        #expect(try settings(folders: ["Public"]).publicFolder == "Public")
    }

    @Test(arguments: [
        (["FRESHET_PORT": "http"], "FRESHET_PORT is no whole number: http"),
        (["FRESHET_PORT": "65536"], "no port has the number 65536"),
        (["FRESHET_LOOPS": "0"], "loops must be from 1 to 1024, not 0"),
        (["FRESHET_DEMO": "maybe"], "FRESHET_DEMO is neither true nor false: maybe"),
        (["FRESHET_PUBLIC": "nowhere"], "there is no folder nowhere"),
        (
            ["FRESHET_KEY": "two words"],
            "a key has only letters, digits and - . _ ~ + / with = at its end"
        ),
    ])
    func sayWhatIsWrong(_ variables: [String: String], _ message: String) {
        #expect(throws: CommandFailure.usage(message)) { try settings(variables: variables) }
    }

    private func settings(
        _ options: ServeSettings.Options = .init(),
        variables: [String: String] = [:],
        folders: Set<String> = ["web"]
    ) throws -> ServeSettings {
        let folders = folders.union([options.publicFolder ?? "web"])
        return try ServeSettings(options, Environment(variables)) { folders.contains($0) }
    }
}
