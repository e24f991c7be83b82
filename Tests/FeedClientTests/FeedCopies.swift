import FeedModel
import Testing

@testable import FeedClient

/// docs/READING.md, "Applying changes".
@Suite struct FeedCopies {
    private static let snapshot = """
        {"kind":"snapshot","feed":"birds","token":"hn3vq6ya.7","title":"Birds seen","count":3,\
        "order":"6d744754","sections":[{"id":"lake","title":"At the lake","count":2,"items":\
        [{"id":"grebe","seen":4},{"id":"heron","seen":1}]},{"id":"woods","count":1,\
        "items":[{"id":"jay","seen":2}]}]}
        """
    private static let changes = """
        {"kind":"changes","feed":"birds","since":"hn3vq6ya.7","token":"hn3vq6ya.9","count":3,\
        "order":"6d744754","changes":{"items":{"update":[{"id":"jay","set":{"seen":5}}]}}}
        """

    private func copy() throws -> FeedCopy {
        var copy = FeedCopy(try #require(FeedName("birds")))
        guard case .replaced(nil) = try copy.take(document(Self.snapshot)) else {
            Issue.record("no snapshot")
            return copy
        }
        return copy
    }

    private func document(_ text: String) throws -> ServedDocument {
        try ServedDocument(parsing: Array(text.utf8))
    }

    private func isNothing(_ change: FeedChange) -> Bool {
        if case .unchanged = change { true } else { false }
    }

    @Test func feedCopiesTakeSnapshotsAndChanges() throws {
        var copy = try copy()
        #expect(copy.token?.version == 7)
        #expect(copy.snapshot.count == 3)
        let document = try document(Self.changes)
        guard case .changes(let changes) = try copy.take(document) else {
            Issue.record("no changes")
            return
        }
        #expect(changes.updatedItems.map(\.id) == ["jay"])
        #expect(copy.token?.version == 9)
        let jay = copy.snapshot.sections[1].items[0]
        #expect(jay.json == (try JSONText(parsing: Array(#"{"id":"jay","seen":5}"#.utf8))))
        // Once more it changes nothing.
        #expect(isNothing(try copy.take(document)))
        #expect(copy.token?.version == 9)
    }

    private static let unchanged = """
        {"kind":"unchanged","feed":"birds","token":"hn3vq6ya.7","count":3,"order":"6d744754"}
        """

    @Test(arguments: [snapshot, changes.replacing("ya.9", with: "ya.8"), unchanged])
    func answersToEarlierRequestsAreLate(_ text: String) throws {
        let requested = ContinuousClock.now
        var copy = try copy()
        _ = try copy.take(document(Self.changes))
        var late = try document(text)
        late.requested = requested
        #expect(isNothing(try copy.take(late)))
        #expect(copy.token?.version == 9)
    }

    /// The server has lost versions: an older copy of its data was put back.
    @Test func laterAnswersCountWhateverTheirVersion() throws {
        var copy = try copy()
        _ = try copy.take(document(Self.changes))
        for text in [Self.unchanged, Self.changes.replacing("ya.9", with: "ya.8")] {
            var document = try document(text)
            document.requested = .now
            #expect(throws: FeedMismatch.self) { try copy.take(document) }
            #expect(copy.token?.version == 9)
        }
        var document = try document(Self.snapshot)
        document.requested = .now
        guard case .replaced = try copy.take(document) else {
            Issue.record("the snapshot was not taken")
            return
        }
        #expect(copy.token?.version == 7)
        let jay = try JSONText(parsing: Array(#"{"id":"jay","seen":2}"#.utf8))
        #expect(copy.snapshot.sections[1].items[0].json == jay)
    }

    @Test func feedCopiesAreGoneOnce() throws {
        var copy = try copy()
        let missing = ServedDocument.missing(copy.feed)
        guard case .gone = try copy.take(missing) else {
            Issue.record("not gone")
            return
        }
        #expect(copy.token == nil)
        #expect(copy.snapshot.count == 0)
        #expect(isNothing(try copy.take(missing)))
        _ = try copy.take(document(Self.snapshot))
        #expect(!copy.isMissing)
    }

    @Test(arguments: [
        ("6d744754", "6d744755"), ("\"count\":3", "\"count\":4"), ("hn3vq6ya.7", "hn3vq6ya.8"),
        ("hn3vq6ya.7", "aaaaaaaa.7"), ("\"jay\"", "\"owl\""), ("\"birds\"", "\"words\""),
        ("\"seen\"", "\"id\""), (#"{"items":{"update""#, #"{"items":{"remove":["jay"],"update""#),
    ])
    func feedCopiesRefuseWhatDoesNotFit(_ part: String, _ other: String) throws {
        var copy = try copy()
        let document = try document(Self.changes.replacing(part, with: other))
        #expect(throws: FeedMismatch.self) { try copy.take(document) }
        #expect(copy.token?.version == 7)
        #expect(copy.snapshot.count == 3)
    }

    @Test func feedCopiesAreCheckedWhereNothingIsNew() throws {
        var copy = try copy()
        let still = #"{"kind":"unchanged","feed":"birds","token":"hn3vq6ya.7","count":3,"#
        #expect(isNothing(try copy.take(document(still + #""order":"6d744754"}"#))))
        #expect(throws: FeedMismatch.self) {
            try copy.take(document(still + #""order":"00000000"}"#))
        }
        #expect(throws: FeedMismatch.self) {
            try copy.take(
                document(
                    Self.snapshot.replacing("ya.7", with: "ya.8").replacing("754", with: "755")
                )
            )
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"kind":"missing"}"#, #"{"kind":"changes"}"#,
        snapshot.replacing("hn3vq6ya.7", with: "x"), snapshot.replacing("6d744754", with: "6d7"),
        snapshot.replacing("sections", with: "parts"),
        snapshot.replacing("\"count\":3", with: "\"count\":\"3\""), changes + "x",
    ])
    func feedCopiesAreNotMadeOfWhatNoServerSends(_ text: String) {
        #expect(throws: DocumentError.self) { try document(text) }
    }

    @Test(arguments: [
        #"{"kind":"news","feed":"birds"}"#, changes.replacing("since", with: "from"),
        changes.replacing(#"{"seen":5}"#, with: "5"), changes.replacing(#""id":"jay","#, with: ""),
        changes.replacing(#"[{"id":"jay","set":{"seen":5}}]"#, with: "{}"),
    ])
    func feedCopiesRefuseWhatCannotBeRead(_ text: String) throws {
        var copy = try copy()
        let document = try document(text)
        #expect(throws: FeedMismatch.self) { try copy.take(document) }
        #expect(copy.token?.version == 7)
    }

    @Test func feedCopiesKeepTheSectionsOfACollatedFeed() throws {
        let text = Self.snapshot.replacing(
            "\"title\":\"Birds seen\"",
            with: #""collate":{"by":"name","locale":"en"}"#
        )
        var copy = FeedCopy(try #require(FeedName("birds")))
        _ = try copy.take(document(text))
        #expect(copy.snapshot.sections.map(\.id) == ["lake", "woods"])
    }
}
