import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct EditApplying {
    static let feed = #"""
        {"title": "News", "sections": [
            {"id": "today", "title": "Today", "items": [
                {"id": "a1"}, {"id": "a2", "draft": true, "likes": 3}, {"id": "a3"}]},
            {"id": "week", "items": [{"id": "a7"}, {"id": "a9"}]},
            {"id": "old", "items": [{"id": "z"}]}]}
        """#

    @Test(arguments: [
        // Insert.
        (#"{"insert": {"id": "b"}}"#, "today: b a1 a2 a3 | week: a7 a9 | old: z"),
        (#"{"insert": {"id": "b"}, "at": "end"}"#, "today: a1 a2 a3 b | week: a7 a9 | old: z"),
        (
            #"{"insert": {"id": "b"}, "section": "week"}"#,
            "today: a1 a2 a3 | week: b a7 a9 | old: z"
        ),
        (
            #"{"insert": {"id": "b"}, "section": "old", "at": "end"}"#,
            "today: a1 a2 a3 | week: a7 a9 | old: z b"
        ),
        (#"{"insert": {"id": "b"}, "before": "a9"}"#, "today: a1 a2 a3 | week: a7 b a9 | old: z"),
        (#"{"insert": {"id": "b"}, "after": "a3"}"#, "today: a1 a2 a3 b | week: a7 a9 | old: z"),
        (
            #"{"insert": {"id": "b"}, "section": "week", "before": "a7"}"#,
            "today: a1 a2 a3 | week: b a7 a9 | old: z"
        ),
        // Replace and remove.
        (#"{"replace": {"id": "a2", "n": 1}}"#, "today: a1 a2 a3 | week: a7 a9 | old: z"),
        (#"{"remove": "a2"}"#, "today: a1 a3 | week: a7 a9 | old: z"),
        (#"{"remove": "z"}"#, "today: a1 a2 a3 | week: a7 a9 | old:"),
        // Move.
        (#"{"move": "a3"}"#, "today: a3 a1 a2 | week: a7 a9 | old: z"),
        (#"{"move": "a1", "at": "end"}"#, "today: a2 a3 a1 | week: a7 a9 | old: z"),
        (#"{"move": "a1", "section": "week"}"#, "today: a2 a3 | week: a1 a7 a9 | old: z"),
        (
            #"{"move": "a1", "section": "week", "at": "end"}"#,
            "today: a2 a3 | week: a7 a9 a1 | old: z"
        ),
        (
            #"{"move": "a1", "section": "today", "at": "end"}"#,
            "today: a2 a3 a1 | week: a7 a9 | old: z"
        ),
        (#"{"move": "a1", "before": "a3"}"#, "today: a2 a1 a3 | week: a7 a9 | old: z"),
        (#"{"move": "a1", "after": "a3"}"#, "today: a2 a3 a1 | week: a7 a9 | old: z"),
        (#"{"move": "a3", "before": "a1"}"#, "today: a3 a1 a2 | week: a7 a9 | old: z"),
        (#"{"move": "a3", "after": "a7"}"#, "today: a1 a2 | week: a7 a3 a9 | old: z"),
        (#"{"move": "a1", "before": "a2"}"#, "today: a1 a2 a3 | week: a7 a9 | old: z"),
        (#"{"move": "a2", "before": "a2"}"#, "today: a1 a2 a3 | week: a7 a9 | old: z"),
        (#"{"move": "a2", "after": "a2"}"#, "today: a1 a2 a3 | week: a7 a9 | old: z"),
        (
            #"{"move": "a2", "after": "a2", "section": "today"}"#,
            "today: a1 a2 a3 | week: a7 a9 | old: z"
        ),
        // Sections.
        (#"{"insertSection": {"id": "s"}}"#, "today: a1 a2 a3 | week: a7 a9 | old: z | s:"),
        (
            #"{"insertSection": {"id": "s", "items": [{"id": "x"}, {"id": "y"}]}, "at": "start"}"#,
            "s: x y | today: a1 a2 a3 | week: a7 a9 | old: z"
        ),
        (
            #"{"insertSection": {"id": "s"}, "before": "old"}"#,
            "today: a1 a2 a3 | week: a7 a9 | s: | old: z"
        ),
        (
            #"{"insertSection": {"id": "s"}, "after": "today"}"#,
            "today: a1 a2 a3 | s: | week: a7 a9 | old: z"
        ),
        (#"{"moveSection": "today"}"#, "week: a7 a9 | old: z | today: a1 a2 a3"),
        (#"{"moveSection": "old", "at": "start"}"#, "old: z | today: a1 a2 a3 | week: a7 a9"),
        (#"{"moveSection": "old", "before": "week"}"#, "today: a1 a2 a3 | old: z | week: a7 a9"),
        (#"{"moveSection": "today", "after": "week"}"#, "week: a7 a9 | today: a1 a2 a3 | old: z"),
        (#"{"moveSection": "week", "after": "week"}"#, "today: a1 a2 a3 | week: a7 a9 | old: z"),
        (#"{"moveSection": "week", "before": "week"}"#, "today: a1 a2 a3 | week: a7 a9 | old: z"),
        (#"{"removeSection": "week"}"#, "today: a1 a2 a3 | old: z"),
        // In order, each on what the one before left.
        (#"{"removeSection": "week"}, {"insert": {"id": "a9"}}"#, "today: a9 a1 a2 a3 | old: z"),
        (
            #"{"remove": "a1"}, {"insert": {"id": "a1"}, "at": "end"}"#,
            "today: a2 a3 a1 | week: a7 a9 | old: z"
        ),
        (
            #"{"insert": {"id": "b"}}, {"insert": {"id": "c"}, "after": "b"}, {"move": "b", "at": "end"}"#,
            "today: c a1 a2 a3 b | week: a7 a9 | old: z"
        ),
        (
            #"{"insertSection": {"id": "s", "items": [{"id": "x"}]}}, {"move": "x", "section": "old"}, {"removeSection": "s"}"#,
            "today: a1 a2 a3 | week: a7 a9 | old: x z"
        ),
        (
            #"{"removeSection": "old"}, {"insertSection": {"id": "old"}, "at": "start"}"#,
            "old: | today: a1 a2 a3 | week: a7 a9"
        ),
        (#"{"removeSection": "today"}, {"insert": {"id": "b"}}"#, "week: b a7 a9 | old: z"),
        (
            #"{"removeSection": "today"}, {"removeSection": "week"}, {"removeSection": "old"}, {"insert": {"id": "b"}}"#,
            "main: b"
        ),
    ])
    func puts(_ json: String, into outline: String) throws {
        #expect(try snapshot(Self.feed).applying(edits(json)).outline == outline)
    }

    @Test(arguments: [#""at": "start""#, #""at": "end""#, nil])
    func aFeedWithoutSectionsGetsMain(_ position: String?) throws {
        let json = #"{"insert": {"id": "b"}\#(position.map { ", " + $0 } ?? "")}"#
        #expect(try Snapshot().applying(edits(json)).outline == "main: b")
    }

    @Test func givesAndTakesMembers() throws {
        let list = try edits(
            #"""
            {"set": {"likes": 4, "new": [1]}, "unset": ["draft", "absent"], "item": "a2"},
            {"replace": {"id": "a1", "x": 1}},
            {"setSection": {"index": "T"}, "unset": ["title"], "section": "today"},
            {"setFeed": {"title": "Olds", "x": 1}},
            {"insertSection": {"id": "s", "title": "S"}}
            """#
        )
        let expected = try snapshot(
            #"""
            {"title": "Olds", "x": 1, "sections": [
                {"id": "today", "index": "T", "items": [
                    {"id": "a1", "x": 1}, {"id": "a2", "likes": 4, "new": [1]}, {"id": "a3"}]},
                {"id": "week", "items": [{"id": "a7"}, {"id": "a9"}]},
                {"id": "old", "items": [{"id": "z"}]}, {"id": "s", "title": "S"}]}
            """#
        )
        let result = try snapshot(Self.feed).applying(list)
        #expect(result.members == expected.members)
        #expect(result.outline == expected.outline)
        for (section, other) in zip(result.sections, expected.sections) {
            #expect(section.members == other.members)
            #expect(section.items == other.items)
        }
    }

    @Test(
        arguments: [
            (#"{"insert": {"id": "a1"}}"#, .exists, "a1"),
            (#"{"insert": {"id": "z"}, "section": "today"}"#, .exists, "z"),
            (#"{"insert": {"id": "b"}, "section": "gone"}"#, .wrongPosition, "gone"),
            (#"{"insert": {"id": "b"}, "before": "gone"}"#, .wrongPosition, "gone"),
            (#"{"insert": {"id": "b"}, "after": "b"}"#, .wrongPosition, "b"),
            (#"{"insert": {"id": "b"}, "after": "today"}"#, .wrongPosition, "today"),
            (#"{"insert": {"id": "b"}, "section": "today", "before": "a9"}"#, .wrongPosition, "a9"),
            (
                #"{"insert": {"id": "b"}, "section": "gone", "before": "a9"}"#, .wrongPosition,
                "gone"
            ),
            (#"{"set": {}, "item": "gone"}"#, .notFound, "gone"),
            (#"{"replace": {"id": "gone"}}"#, .notFound, "gone"),
            (#"{"move": "gone"}"#, .notFound, "gone"),
            (#"{"move": "a1", "section": "gone"}"#, .wrongPosition, "gone"),
            (#"{"move": "a1", "before": "gone"}"#, .wrongPosition, "gone"),
            (#"{"move": "a1", "section": "today", "after": "a7"}"#, .wrongPosition, "a7"),
            (#"{"move": "a1", "section": "week", "after": "a1"}"#, .wrongPosition, "a1"),
            (#"{"remove": "gone"}"#, .notFound, "gone"),
            (#"{"remove": "today"}"#, .notFound, "today"),
            (#"{"insertSection": {"id": "week"}}"#, .exists, "week"),
            (
                #"{"insertSection": {"id": "s", "items": [{"id": "b"}, {"id": "a3"}]}}"#, .exists,
                "a3"
            ),
            (#"{"insertSection": {"id": "s"}, "before": "gone"}"#, .wrongPosition, "gone"),
            (#"{"insertSection": {"id": "s"}, "after": "s"}"#, .wrongPosition, "s"),
            (#"{"insertSection": {"id": "s"}, "after": "a1"}"#, .wrongPosition, "a1"),
            (#"{"setSection": {}, "section": "gone"}"#, .notFound, "gone"),
            (#"{"moveSection": "gone"}"#, .notFound, "gone"),
            (#"{"moveSection": "gone", "before": "gone"}"#, .notFound, "gone"),
            (#"{"moveSection": "week", "after": "gone"}"#, .wrongPosition, "gone"),
            (#"{"removeSection": "gone"}"#, .notFound, "gone"),
            // Precomposed and decomposed are different ids.
            (#"{"remove": "e\u0301"}"#, .notFound, "e\u{301}"),
        ] as [(String, EditFailure.Kind, String)]
    )
    func fails(_ json: String, _ kind: EditFailure.Kind, naming id: String) throws {
        let before = #"{"insert": {"id": "\u00e9"}}, {"remove": "a2"}"#
        let list = try edits("\(before), \(json), \(#"{"remove": "never"}"#)")
        let failure = try #require(throws: EditFailure.self) {
            try snapshot(Self.feed).applying(list)
        }
        #expect(failure.index == 2)
        #expect(failure.kind == kind)
        #expect(failure.reason.contains("\"\(id)\""), "\(failure.reason)")
    }

    @Test(
        arguments: [
            (#"{"remove": "a1"}, {"remove": "a1"}"#, .notFound),
            (#"{"removeSection": "week"}, {"remove": "a9"}"#, .notFound),
            (
                #"{"removeSection": "week"}, {"insert": {"id": "b"}, "section": "week"}"#,
                .wrongPosition
            ),
            (
                #"{"removeSection": "week"}, {"insert": {"id": "b"}, "before": "a9"}"#,
                .wrongPosition
            ),
            (#"{"insert": {"id": "b"}}, {"insert": {"id": "b"}, "at": "end"}"#, .exists),
            (
                #"{"removeSection": "week"}, {"moveSection": "old", "before": "week"}"#,
                .wrongPosition
            ),
        ] as [(String, EditFailure.Kind)]
    )
    func failsOnWhatAnEditBeforeLeft(_ json: String, _ kind: EditFailure.Kind) throws {
        let failure = try #require(throws: EditFailure.self) {
            try snapshot(Self.feed).applying(edits(json))
        }
        #expect(failure.index == 1)
        #expect(failure.kind == kind)
    }

    @Test func theWorkHasALimit() throws {
        let feed = try snapshot(Self.feed)
        let list = try edits(#"{"set": {"v": 1}, "item": "a7"}, {"set": {"v": 2}, "item": "a7"}"#)
        _ = try feed.applying(list, byteLimit: 1000)
        let failure = try #require(throws: EditFailure.self) {
            try feed.applying(list, byteLimit: 20)
        }
        #expect(failure.kind == .tooMuchWork)
    }

    @Test func sectionsThatNoEditTouchesKeepTheirStorage() throws {
        let feed = try snapshot(Self.feed)
        let result = try feed.applying(edits(#"{"remove": "z"}, {"set": {}, "item": "a7"}"#))
        let isShared = zip(result.sections, feed.sections).map { section, before in
            section.items.isIdentical(to: before.items)
        }
        #expect(isShared == [true, false, false])
    }
}
