import ArgumentParser
import Foundation
import Testing

@testable import freshet

/// The table of settings, and everything that is made of it.
@Suite struct SettingsTable {
    private func page() throws -> String {
        let path = #filePath.replacing("Tests/freshetTests/SettingsTable.swift", with: "")
        return try String(contentsOfFile: path + "docs/OPERATIONS.md", encoding: .utf8)
    }

    private func variable(_ setting: ServeSetting) -> String? {
        if case .none = setting.variable { return nil }
        return Environment.name(setting.name)
    }

    @Test func hasEachNameOnce() {
        let names = ServeSetting.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// An operator finds each setting, its variable and its default in the guide.
    @Test func standsInTheGuide() throws {
        let lines = try page().split(separator: "\n").filter { $0.hasPrefix("| `") }
        for setting in ServeSetting.all where setting.name != "adopt" {
            let isOption = setting.usage != nil
            let name = isOption ? "| `--\(setting.name)` |" : "| `\(setting.name)` |"
            let found = lines.filter { $0.hasPrefix(name) }
            #expect(found.count == 1, "\(name)")
            guard let line = found.first else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard isOption else {
                if let text = setting.defaultText { #expect(cells[1] == "`\(text)`", "\(name)") }
                continue
            }
            #expect(cells[1] == (variable(setting).map { "`\($0)`" } ?? ""), "\(name)")
            if case .value = setting.usage?.shownDefault {
                #expect(cells[2] == setting.defaultText.map { "`\($0)`" }, "\(name)")
            }
            let isElsewhere = ["Not in the file", "Not allowed in the file"].contains(
                where: line.contains
            )
            #expect((setting.read == nil) == isElsewhere, "\(name)")
        }
    }

    /// The list of the settings that a reload changes.
    @Test func saysWhatAReloadChanges() throws {
        let page = try page()
        let start = try #require(page.range(of: "*These settings change,*")).upperBound
        let end = try #require(
            page.range(of: "All others need a restart", range: start..<page.endIndex)
        )
        let parts = page[start..<end.lowerBound].split(separator: "`").enumerated()
        let listed = Set(parts.filter { $0.offset % 2 == 1 }.map { String($0.element) })
        let changing = ServeSetting.all.filter { $0.effect == .atReload }.map {
            $0.group ?? $0.name
        }
        #expect(listed == Set(changing))
    }

    @Test func isTheHelp() {
        let help = ServeCommand.helpMessage(columns: 100_000)
        let lines = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for setting in ServeSetting.all where setting.usage != nil {
            let name = "--\(setting.name)"
            let found = lines.filter { line in
                line == name || [" ", "/"].contains { line.hasPrefix(name + $0) }
            }
            #expect(found.count == 1, "\(name): \(found)")
            #expect(help.contains(setting.help), "\(setting.help)")
        }
    }

    @Test func isTheCommandLine() throws {
        let arguments = [
            "--port", "1", "--demo", "--no-access-log", "--key", "a", "--key", "b", "--adopt",
            "--data", "postgres://u:secret@h/d",
        ]
        let given = try ServeOptions.parse(arguments).given
        #expect(
            given == [
                "port": ["1"], "demo": ["true"], "access-log": ["false"], "key": ["a", "b"],
                "adopt": ["true"], "data": ["postgres://u:secret@h/d"],
            ]
        )
        #expect(try ServeOptions.parse([]).given.isEmpty)
        #expect(throws: (any Error).self) { try ServeOptions.parse(["--limits.body-size", "1"]) }
    }

    /// Values other than the defaults, some for each kind.
    static let values = [
        ("host", "0.0.0.0"), ("port", "81"), ("admin", "127.0.0.1:9090"), ("data", "feeds"),
        ("stale-after", "7s"), ("publish-url", "https://a.example"),
        ("trusted-proxies", "10.0.0.0/8, ::1"), ("tls-cert", "c.pem"), ("tls-key", "k.pem"),
        ("loops", "1000"), ("demo", "true"), ("history", "1MiB"), ("memory-limit", "1GiB"),
        ("log-format", "json"), ("log-level", "trace"), ("access-log", "true"),
        ("forwarded-field", "forwarded"), ("public", "web"),
    ]

    /// An option, a variable and a line of the file set the same thing, and nothing else.
    @Test(arguments: values) func readsAValueAlikeEverywhere(_ name: String, _ text: String) throws
    {
        let file = try ConfigurationFile(parsing: Array("\(name): '\(text)'".utf8))
        let pair = ["tls-cert": "tls-key", "tls-key": "tls-cert"][name]
        let options = pair.map { [$0: ["x"]] } ?? [:]
        func settings(
            _ more: ServeSettings.Options = [:],
            _ variables: [String: String] = [:],
            _ file: ConfigurationFile = ConfigurationFile()
        ) throws -> ServeSettings {
            let all = options.merging(more) { $1 }
            return try ServeSettings(all, Environment(variables), file) { $0 == "web" }
        }
        let three = [
            try settings([name: [text]]), try settings([:], [Environment.name(name): text]),
            try settings([:], [:], file),
        ]
        for setting in ServeSetting.all {
            for other in three.dropFirst() {
                #expect(setting.isSame(three[0], other), "\(setting.name)")
            }
        }
        let usual = ServeSettings()
        let own = try #require(ServeSetting.all.first { $0.name == name })
        #expect(!own.isSame(three[0], usual))
        var copied = usual
        own.copy(&copied, three[0])
        #expect(own.isSame(copied, three[0]))
        for setting in ServeSetting.all where setting.name != name {
            #expect(setting.isSame(copied, usual), "\(setting.name)")
        }
    }

    /// An empty argument says which option it is for.
    @Test(
        arguments: ServeSetting.all.filter { [.option, .repeated].contains($0.usage?.form) }.map(
            \.name
        )
    )
    func namesAnOptionWithoutAValue(_ name: String) throws {
        var message = ""
        do {
            let given = try ServeOptions.parse(["--\(name)", ""]).given
            _ = try ServeSettings(given, .inMemory) { _ in true }
        } catch let failure as CommandFailure {
            message = failure.message
        } catch {
            message = ServeOptions.message(for: error)
        }
        #expect(message.contains("--\(name) has no value"), "\(message)")
    }
}
