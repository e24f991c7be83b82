import Testing

@testable import freshet

@Suite struct DocumentChecking {
    @Test func countsWhatIsThere() throws {
        let document = #"{"sections":[{"id":"a","items":[{"id":"1"}]},{"id":"b"}]}"#
        #expect(try verdict(document) == "2 sections, 1 item, 57 bytes")
    }

    @Test func saysWhereADocumentIsWrong() {
        let document = #"{"items":[{"id":"1"},{"id":"1"}]}"#
        #expect {
            try verdict(document)
        } throws: { error in
            let failure = error as? CommandFailure
            return failure?.status == 2
                && failure?.message.hasPrefix("news.json: items[1].id: ") == true
        }
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"items":[]} x"#])
    func refusesWhatIsNoFeed(_ document: String) {
        #expect(throws: CommandFailure.self) { try verdict(document) }
    }

    private func verdict(_ document: String) throws -> String {
        try CheckCommand.verdict(Array(document.utf8), name: "news.json")
    }
}
