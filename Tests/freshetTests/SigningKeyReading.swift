import FeedAPI
import FeedModel
import TestSupport
import Testing

@testable import freshet

/// docs/TOKENS.md, "Settings": the configuration.
@Suite struct SigningKeyReading {
    private func issues(_ text: String) -> [String] {
        do {
            _ = try ConfigurationFile(parsing: Array(text.utf8))
            return []
        } catch {
            return error.list.map { $0.line(file: "f") }
        }
    }

    @Test(arguments: [
        ("signing-keys: 7", "f:1:15: signing-keys: must be a list of keys"),
        (
            "signing-keys:\n  - kid: a\n    algorithm: RS256\n    read: x",
            "f:3:16: signing-keys[0].algorithm: must be one of EdDSA, ES256, HS256, not \"RS256\""
        ),
        (
            "signing-keys:\n  - kid: a\n    algorithm: none\n    read: x",
            "f:3:16: signing-keys[0].algorithm: must be one of EdDSA, ES256, HS256, not \"none\""
        ),
        (
            "signing-keys:\n  - kid: a\n    algorithm: HS256\n    read: x",
            "f:2:5: signing-keys[0]: has no secret-file, the file of its key"
        ),
        (
            "signing-keys:\n  - kid: a\n    algorithm: HS256\n    read: x\n    secret-file: /nowhere/at/all",
            "f:5:18: signing-keys[0].secret-file: cannot be read: /nowhere/at/all: No such file or "
                + "directory"
        ),
        (
            "keys:\n  - digest: 7\n    admin: perhaps",
            "f:3:12: keys[0].admin: must be true or false, not \"perhaps\""
        ),
    ])
    func saysWhatIsWrongWhere(_ text: String, _ line: String) {
        let found = issues(text)
        #expect(found.contains(line), "\(found)")
    }

    @Test func rightsAreRead() throws {
        let text = """
            keys:
              - digest: \(String(repeating: "1a", count: 32))
                follow: ["sports-*"]
                admin: true
            """
        let file = try ConfigurationFile(parsing: Array(text.utf8))
        let key = try #require(file.settings.api.keys.first)
        #expect(key.rights.follow.map(\.text) == ["sports-*"])
        #expect(key.isAdmin)
        #expect(key.rights.write.isEmpty)
    }
}
