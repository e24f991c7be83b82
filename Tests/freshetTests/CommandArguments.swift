import ArgumentParser
import FeedClient
import FeedModel
import Testing

@testable import freshet

@Suite struct CommandArguments {
    @Test(arguments: [
        "q7x2m5kd.42", "\"q7x2m5kd.42\"", "W/\"q7x2m5kd.42\"", "q7x2m5kd.42-gzip",
        "\"q7x2m5kd.42-gzip\"", "q7x2m5kd.42-deflate",
    ])
    func argumentsTakeATokenInAnyForm(_ text: String) throws {
        let command = try parse(["get", "news", "--since", text])
        #expect((command as? GetCommand)?.since == Token(epoch: "q7x2m5kd", version: 42))
    }

    @Test func argumentsPublishFromStandardInputUnlessAFileIsNamed() throws {
        #expect((try parse(["publish", "news"]) as? PublishCommand)?.file == "-")
        #expect((try parse(["publish", "news", "a.json"]) as? PublishCommand)?.file == "a.json")
    }

    @Test func argumentsNameSectionsAndAFormat() throws {
        let arguments = [
            "get", "news", "--section", "a", "--section", "b", "--limit", "0", "--format",
            "json-patch",
        ]
        let command = try #require(try parse(arguments) as? GetCommand)
        #expect(command.viewOptions.section == ["a", "b"])
        #expect(command.viewOptions.limit == 0)
        #expect(command.format == .jsonPatch)
    }

    @Test(arguments: [
        ["get", "News"], ["get", "news", "--since", "42"], ["get", "news", "--limit", "-1"],
        ["get", "news", "--limit=-1"], ["get", "news", "--format", "xml"], ["get"], ["fly"],
        ["move", "news", "a", "--at", "top"], ["move", "news", "a", "--at", "end", "--after", "b"],
        ["get", "news", "--wait", "5"], ["get", "news", "--since", "q7x2m5kd.42", "--wait", "61"],
        ["watch"], ["watch", "News"], ["watch", "news", "--limit", "x"], ["watch", "a", "a"],
        ["publish", "news", "--if-match", "*"], ["serve", "--port", "http"],
    ])
    func argumentsThatAreWrongAreAMatterOfUsage(_ arguments: [String]) {
        #expect {
            try parse(arguments)
        } throws: { error in
            Freshet.exitCode(for: error) == .validationFailure
        }
    }

    @Test(arguments: [["--version"], ["--help"], ["serve", "--help"]])
    func argumentsThatAskForHelpSucceed(_ arguments: [String]) {
        #expect {
            var command = try parse(arguments)
            try command.run()
        } throws: { error in
            Freshet.exitCode(for: error) == .success
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:80"), ("::1", "http://[::1]:80"),
        ("feeds.example", "http://feeds.example:80"),
    ])
    func argumentsBecomeTheAddressThatIsPrinted(_ host: String, _ url: String) {
        #expect(ServeCommand.url(host: host, port: 80) == url)
    }

    @Test(arguments: [
        (["get", "news"], ["the variable FRESHET_PROT is not known; FRESHET_PORT is meant?"]),
        // It says so itself, in its log.
        (["serve"], []),
    ])
    func argumentsGoWithVariablesThatAreKnown(_ arguments: [String], _ warnings: [String]) throws {
        let environment = Environment(["FRESHET_PROT": "1", "FRESHET_KEY": "k", "PORT": "2"])
        #expect(Freshet.warnings(before: try parse(arguments), environment) == warnings)
    }

    /// Kubernetes tells every container of a Service, which may have the server's name.
    @Test func addressesOfServicesAreNoSettings() throws {
        let environment = Environment([
            "FRESHET_PORT": "tcp://10.43.161.118:8080", "FRESHET_SERVICE_HOST": "10.43.161.118",
            "FRESHET_SERVICE_PORT": "8080", "FRESHET_PORT_8080_TCP": "tcp://10.43.161.118:8080",
            "FRESHET_PORT_8080_TCP_PROTO": "tcp", "FRESHET_PORT_8080_TCP_ADDR": "10.43.161.118",
            "FRESHET_HOTS": "x",
        ])
        #expect(environment.value("port") == nil)
        let warnings = environment.warnings(knowing: ["port", "host"])
        #expect(warnings.count == 2)
        #expect(warnings.first?.contains("enableServiceLinks: false") == true)
        #expect(warnings.last == "the variable FRESHET_HOTS is not known; FRESHET_HOST is meant?")
        let others = Environment(["FRESHET_PORT": "x", "FRESHET_SERVICE_PORT": "1"])
        #expect(others.value("port") == "x")
        #expect(others.warnings(knowing: ["port"]).count == 1)
    }

    @Test(arguments: ["ftp://feeds.example", "", "http://"])
    func argumentsNameAServerOfHTTP(_ address: String) throws {
        let options = try #require(
            try parse(["health", "--server", address]) as? HealthCommand
        )
        let failure = #expect(throws: CommandFailure.self) {
            try options.options.service(Environment([:]))
        }
        #expect(failure?.status == CommandFailure.usageStatus)
        #expect(failure?.message.contains(address) == true)
    }

    @Test(arguments: ["0s", "500ms", "25h", "-1s", "1"])
    func argumentsGiveATokenSomeTime(_ time: String) throws {
        var command = try parse([
            "token", "--kid", "a", "--secret-file", "/nowhere", "--read", "x", "--expires=\(time)",
        ])
        let failure = #expect(throws: CommandFailure.self) { try command.run() }
        #expect(failure?.message == "--expires takes a time from 1s to 24h, such as 30m")
    }

    private func parse(_ arguments: [String]) throws -> any ParsableCommand {
        try Freshet.parseAsRoot(arguments)
    }
}

/// An option with an empty value, as a script's unset variable makes it.
@Suite struct OptionsBeforeNothing {
    @Test(arguments: [
        (["serve", "--public", ""], "--public"), (["get", "news", "--key", "", "--json"], "--key"),
        (["serve", "--port", "1"], nil), (["get", ""], nil), (["put", "--", "--a", ""], nil),
        (["serve", "--public="], nil), ([], nil),
    ])
    func areNamed(_ arguments: [String], _ option: String?) {
        #expect(Freshet.optionBeforeNothing(arguments) == option)
    }
}

/// The feeds of a right: `--write a,b`, `--write a --write b`.
@Suite struct RightsOnTheCommandLine {
    @Test(arguments: [
        (["a,b"], ["a", "b"]), (["a", "b"], ["a", "b"]), (["a, b-*", "c"], ["a", "b-*", "c"]),
        ([], []), (["a,"], ["a", ""]), ([""], [""]),
    ])
    func areSeveralFeeds(_ texts: [String], _ feeds: [String]) {
        #expect(RightsOptions.feeds(texts) == feeds)
    }
}
