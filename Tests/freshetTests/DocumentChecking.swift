import Testing

@testable import freshet

@Suite struct DocumentChecking {
    @Test func countsWhatIsThere() throws {
        let document = #"{"sections":[{"id":"a","items":[{"id":"1"}]},{"id":"b"}]}"#
        let summary = try verdict(document).summary
        #expect(summary.hasPrefix("2 sections, 1 item, 57 bytes; takes "))
        #expect(summary.hasSuffix(" KiB of memory"))
    }

    @Test func saysWhereADocumentIsWrong() {
        let document = "{\"items\":[\n{\"id\":\"1\"},\n{\"id\":\"1\"}]}"
        #expect {
            try verdict(document)
        } throws: { error in
            let failure = error as? CommandFailure
            return failure?.status == 2
                && failure?.message.hasPrefix("news.json:3: items[1].id: ") == true
        }
    }

    @Test func knowsAConfigurationByWhatIsInIt() throws {
        #expect(try verdict("# no key\nport: 80\n").summary == "a configuration with 0 keys")
        let feeds = """
            feeds:
              a: {source: 'https://a.example/'}
              b: {derive: {from: a}}
              c: {derive: {from: a}}
            """
        #expect(
            try verdict(feeds).summary
                == "a configuration with 0 keys, 1 source and 2 derived feeds"
        )
        #expect(
            throws: CommandFailure.usage("news.json:1:1: prot: no such setting; port is meant?")
        ) {
            try verdict("prot: 80")
        }
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"items":[]} x"#])
    func refusesWhatIsNoFeed(_ document: String) {
        let failure = #expect(throws: CommandFailure.self) { try verdict(document) }
        #expect(failure?.status == CommandFailure.usageStatus)
        #expect(failure?.message.hasPrefix("news.json:") == true)
    }

    @Test func whatIsLargerThanServersTakeIsToldOf() {
        #expect(CheckCommand.sizeWarnings(bytes: 32 << 20, items: 1_000_000).isEmpty)
        #expect(
            CheckCommand.sizeWarnings(bytes: (32 << 20) + 1, items: 1_000_001) == [
                "more than 32MiB: a server takes it where limits.body-size allows that",
                "more than 1000000 items: only where limits.feed-items allows that",
            ]
        )
    }

    private func verdict(_ document: String) throws -> CheckCommand.Verdict {
        try CheckCommand.verdict(Array(document.utf8), name: "news.json")
    }
}
