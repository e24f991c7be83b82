import FeedAPI
import FeedModel
import HTTPServer
import TestSupport
import Testing

@testable import freshet

@Suite struct ServingSettings {
    @Test func servingSettingsHaveDefaultsForThisMachineAlone() throws {
        let settings = try settings()
        #expect(settings.host == "127.0.0.1")
        #expect(settings.port == 8080)
        #expect(settings.api.keys.isEmpty)
        #expect(settings.publicFolder == nil)
        #expect(settings.loops >= 1)
        #expect(!settings.servesDemo)
    }

    @Test func servingSettingsComeFromVariables() throws {
        let settings = try settings(variables: [
            "FRESHET_HOST": "0.0.0.0", "FRESHET_PORT": "0", "FRESHET_KEY": "one,two",
            "FRESHET_PUBLIC": "web", "FRESHET_LOOPS": "3", "FRESHET_DEMO": "yes",
        ])
        #expect(settings.host == "0.0.0.0")
        #expect(settings.port == 0)
        #expect(settings.api.keys == [AccessKey("one"), AccessKey("two")])
        #expect(settings.publicFolder == "web")
        #expect(settings.loops == 3)
        #expect(settings.servesDemo)
    }

    @Test func trustedProxiesComeFromVariables() throws {
        let settings = try settings(variables: [
            "FRESHET_TRUSTED_PROXIES": "10.0.0.0/8, ::1", "FRESHET_FORWARDED_FIELD": "forwarded",
        ])
        let networks = try ["10.0.0.0/8", "::1"].map { try #require(TrustedProxies.Network($0)) }
        #expect(settings.limits.proxies == TrustedProxies(networks, field: .forwarded))
        #expect(try self.settings().limits.proxies == TrustedProxies())
        let first = try self.settings(variables: [
            "FRESHET_TRUSTED_PROXIES": "10.0.0.0/8,::1",
            "FRESHET_FORWARDED_FIELD": "proxy-protocol",
        ])
        #expect(first.limits.proxies == TrustedProxies(networks, field: .proxyProtocol))
        for (name, text) in [
            ("FRESHET_TRUSTED_PROXIES", "10.0.0.1/8"), ("FRESHET_TRUSTED_PROXIES", "10.0.0.0/8,"),
            ("FRESHET_FORWARDED_FIELD", "via"), ("FRESHET_FORWARDED_FIELD", "proxy-protocol"),
        ] {
            #expect(throws: CommandFailure.self) { try self.settings(variables: [name: text]) }
        }
    }

    @Test func servingSettingsTakeOptionsBeforeVariables() throws {
        let options: ServeSettings.Options = [
            "host": ["::1"], "port": ["81"], "key": ["three"], "public": ["Public"],
            "loops": ["1"], "demo": ["false"],
        ]
        let settings = try settings(
            options,
            variables: [
                "FRESHET_HOST": "0.0.0.0", "FRESHET_PORT": "x", "FRESHET_KEY": "one",
                "FRESHET_PUBLIC": "web", "FRESHET_LOOPS": "2", "FRESHET_DEMO": "1",
            ]
        )
        #expect(settings.host == "::1")
        #expect(settings.port == 81)
        #expect(settings.api.keys == [AccessKey("three")])
        #expect(settings.publicFolder == "Public")
        #expect(settings.loops == 1)
        #expect(!settings.servesDemo)
    }

    /// A line end comes along where a variable is made of a file.
    @Test(arguments: [
        "one,two\n", " one , two\r\n", "one\ntwo\n", "one\r\n\r\ntwo", "one,,two,",
    ])
    func keysStandBetweenCommasAndLineEnds(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "key")
        for variables in [["FRESHET_KEY": text], ["FRESHET_KEY_FILE": folder.path + "/key"]] {
            let settings = try settings(variables: variables)
            #expect(settings.api.keys == [AccessKey("one"), AccessKey("two")])
        }
        let first = try Environment(["FRESHET_KEY_FILE": folder.path + "/key"]).key(nil)
        #expect(first == "one")
        #expect(try Environment(["FRESHET_KEY_FILE": folder.path + "/key"]).key("mine") == "mine")
    }

    @Test(arguments: ["", "\n", " , "]) func aFileWithoutAKeyIsRefused(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "key")
        for name in ["key", "gone"] {
            #expect(throws: CommandFailure.self) {
                try settings(variables: ["FRESHET_KEY_FILE": folder.path + "/" + name])
            }
        }
    }

    @Test(arguments: [("[::]", "::"), ("[::1]", "::1"), ("::1", "::1"), ("a.example", "a.example")])
    func anAddressMayStandInBrackets(_ text: String, _ host: String) throws {
        #expect(try settings(variables: ["FRESHET_HOST": text]).host == host)
        #expect(try settings(["host": [text]]).host == host)
    }

    @Test(arguments: [
        "host=localhost dbname=feeds", "dbname=feeds", "user = me", "host=/run/postgresql",
        "service=x",
    ])
    func aListOfConnectionSettingsIsNoFolder(_ text: String) {
        let failure = #expect(throws: CommandFailure.self) { try settings(["data": [text]]) }
        #expect(failure?.message.contains("postgres://USER@HOST:PORT/DATABASE") == true)
    }

    @Test(arguments: ["data", "./a=b", "/srv/host=x", "postgres://h/d?user=x"])
    func otherTextsAreTakenForData(_ text: String) throws {
        #expect(try settings(["data": [text]]).data == text)
    }

    @Test func aMirrorNeedsAKeyAndOpensNothingByItself() throws {
        #expect(throws: CommandFailure.self) {
            try settings(["mirror": ["https://a.example"]])
        }
        let variables = ["FRESHET_MIRROR": "https://a.example", "FRESHET_MIRROR_KEY": "k"]
        let mirroring = try settings(variables: variables)
        #expect(mirroring.mirrorOrigin == "https://a.example")
        #expect(mirroring.mirrorFeeds == [.all])
        #expect(mirroring.api.openFeeds == [])
        for address in ["a.example", "https://name:secret@a.example", "https://@a.example"] {
            #expect(throws: CommandFailure.self) {
                try settings(variables: ["FRESHET_MIRROR": address, "FRESHET_MIRROR_KEY": "k"])
            }
        }
        #expect(throws: CommandFailure.self) {
            try settings(["data": ["postgres://db/freshet"]], variables: variables)
        }
        #expect(throws: CommandFailure.self) {
            try settings(["mirror-feeds": ["UPPER"]], variables: variables)
        }
    }

    @Test(arguments: [
        (["mirror-key": ["k"]], [:]),
        (.init(), ["FRESHET_MIRROR_KEY": "k"]),
    ])
    func aKeyToFollowWithTakesAServer(
        _ options: ServeSettings.Options,
        _ variables: [String: String]
    ) {
        let failure = #expect(throws: CommandFailure.self) {
            try settings(options, variables: variables)
        }
        #expect(failure?.status == CommandFailure.usageStatus)
        let name = options.isEmpty ? "FRESHET_MIRROR_KEY" : "--mirror-key"
        #expect(failure?.message.hasPrefix("\(name): does nothing") == true)
        #expect(failure?.message.contains(" without --mirror (FRESHET_MIRROR") == true)
    }

    @Test(arguments: [
        ("http://\u{FC}.example:81//", "http://xn--tda.example:81"),
        ("https://feeds.example.org/a/", "https://feeds.example.org/a"),
        ("HTTP://[::1]:80", "HTTP://[::1]:80"),
    ])
    func theAddressThatIsFollowedHasAnASCIIHost(_ text: String, _ address: String) throws {
        let settings = try settings(["mirror": [text], "mirror-key": ["k"]])
        #expect(settings.mirrorOrigin == address)
    }

    @Test(arguments: [
        ("http://\u{E4}..x/", "must be in ASCII, its host as it is in DNS (xn--"),
        ("http://a.example/\u{E4}", "must be in ASCII"),
        ("http://", "must be an address of http or https, such as"),
        ("http://a b", "must be an address"), ("http://a:99999", "must be an address"),
        ("http://a?b", "must be an address"), ("ftp://a", "must be an address"),
        ("http://a:b@c", "must have no name and password"),
    ])
    func saysWhatIsWrongWithTheAddressThatIsFollowed(_ text: String, _ reason: String) {
        let failure = #expect(throws: CommandFailure.self) { try settings(["mirror": [text]]) }
        #expect(failure?.message.hasPrefix("--mirror " + reason) == true)
        #expect(failure?.message.contains("\n") == false)
    }

    @Test(arguments: [
        ("/var/lib/freshet", true), ("postgres://db/freshet", true),
        ("postgresql:///freshet", true),
        ("https://a.example", false), ("", false),
    ])
    func dataIsAFolderOrADatabase(_ text: String, _ isTaken: Bool) {
        #expect(((try? settings(["data": [text]])) != nil) == isTaken)
    }

    @Test func servingSettingsTakeACertificateWithItsKey() throws {
        let files = CertificateFiles(certificate: "c.pem", key: "k.pem")
        #expect(try settings().tls == nil)
        #expect(try settings(["tls-cert": ["c.pem"], "tls-key": ["k.pem"]]).tls == files)
        let variables = ["FRESHET_TLS_CERT": "c.pem", "FRESHET_TLS_KEY": "k.pem"]
        #expect(try settings(variables: variables).tls == files)
        let missing = [
            "FRESHET_TLS_CERT": 
                "FRESHET_TLS_CERT: a certificate needs its key: --tls-key (FRESHET_TLS_KEY)",
            "FRESHET_TLS_KEY": 
                "FRESHET_TLS_KEY: a key needs its certificate: --tls-cert (FRESHET_TLS_CERT)",
        ]
        for (name, words) in missing {
            #expect(throws: CommandFailure.usage(words)) {
                try settings(variables: [name: "x.pem"])
            }
        }
    }

    @Test func servingSettingsTakeAnEmptyVariableForNone() throws {
        #expect(try settings(variables: ["FRESHET_PORT": "", "FRESHET_KEY": ""]).port == 8080)
    }

    @Test func servingSettingsServeTheWebClientWhereThereIsOne() throws {
        #expect(try settings(folders: ["Public"]).publicFolder == "Public")
    }

    @Test(arguments: [
        (
            ["FRESHET_PORT": "http"],
            "FRESHET_PORT must be a whole number from 0 to 65535, not \"http\""
        ),
        (
            ["FRESHET_LOOPS": "0"],
            "FRESHET_LOOPS must be a whole number from 1 to 1024, not \"0\""
        ),
        (["FRESHET_DEMO": "maybe"], "FRESHET_DEMO must be true or false, not \"maybe\""),
        (
            ["FRESHET_LOG_FORMAT": "xml"],
            "FRESHET_LOG_FORMAT must be one of text, json, not \"xml\""
        ),
        (["FRESHET_PUBLIC": "nowhere"], "FRESHET_PUBLIC: there is no folder nowhere"),
        (
            ["FRESHET_KEY": "two words"],
            "FRESHET_KEY must have only letters, digits and - . _ ~ + / with = at its end"
        ),
    ])
    func servingSettingsSayWhatIsWrong(_ variables: [String: String], _ message: String) {
        #expect(throws: CommandFailure.usage(message)) { try settings(variables: variables) }
    }

    @Test func servingSettingsTakeVariablesBeforeTheFile() throws {
        let text = """
            host: file
            port: 1
            log-format: json
            access-log: true
            keys: [{digest: \(KeyCommand.digest("of-the-file")), write: news}]
            limits: {head-timeout: 3s, body-size: 17}
            """
        let settings = try settings(
            ["host": ["option"], "access-log": ["false"]],
            variables: ["FRESHET_PORT": "2", "FRESHET_HOST": "variable", "FRESHET_KEY": "k"],
            file: ConfigurationFile(parsing: Array(text.utf8))
        )
        #expect(settings.host == "option")
        #expect(settings.port == 2)
        #expect(settings.logFormat == .json)
        #expect(!settings.writesAccessLog)
        let digests = ["k", "of-the-file"].map { AccessKey($0).digest }
        #expect(settings.api.keys.map(\.digest) == digests)
        #expect(settings.limits.headTime == .seconds(3))
        #expect(settings.limits.idleTime == .seconds(75))
        #expect(settings.api.bodyByteLimit == 17)
        #expect(settings.api.itemLimit == 1_000_000)
    }

    @Test func servingSettingsChangeWhereAServerRuns() throws {
        let old = try settings()
        var new = old
        new.port = 1
        new.logFormat = .json
        new.api.keys = [AccessKey("k")]
        new.limits.idleTime = .seconds(1)
        let change = old.taking(new)
        #expect(change.changed == ["limits.idle-timeout", "keys"])
        #expect(change.needsRestart == ["port", "log-format"])
        #expect(change.settings.port == old.port)
        #expect(change.settings.api.keys == new.api.keys)
        #expect(change.settings.taking(new).changed.isEmpty)
        #expect(change.settings.taking(new).needsRestart == ["port", "log-format"])
    }

    @Test(
        arguments: [
            (nil, [:], "freshet-data", true), ("memory", [:], nil, false),
            ("feeds", [:], "feeds", false),
            (nil, ["FRESHET_DATA": "memory"], nil, false),
            (nil, ["FRESHET_DATA": "feeds"], "feeds", false),
            ("./memory", ["FRESHET_DATA": "memory"], "./memory", false),
            ("postgres://u:secret@db/x", [:], "postgres://u:secret@db/x", false),
        ] as [(String?, [String: String], String?, Bool)]
    )
    func feedsAreKeptUnlessItIsSaidOtherwise(
        _ option: String?,
        _ variables: [String: String],
        _ expected: String?,
        _ isDefault: Bool
    ) throws {
        let settings = try settings(option.map { ["data": [$0]] } ?? [:], variables: variables)
        #expect(settings.dataFolder == expected)
        #expect(settings.hasDefaultData == isDefault)
        let isFolder = expected.map { !$0.contains("://") } ?? false
        #expect(settings.madeKeyFile == (isFolder ? expected.map { $0 + "/key" } : nil))
        let words = FeedStorage.words(settings)
        #expect(words.contains("--data memory forgets them") == isDefault)
        #expect(!words.contains("secret"))
    }

    private func settings(
        _ options: ServeSettings.Options = .init(),
        variables: [String: String] = [:],
        file: ConfigurationFile = .init(),
        folders: Set<String> = ["web"]
    ) throws -> ServeSettings {
        let folders = folders.union([options["public"]?.first ?? "web"])
        return try ServeSettings(options, Environment(variables), file) { folders.contains($0) }
    }
}
