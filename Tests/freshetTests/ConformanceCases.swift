import FeedModel
import Foundation
import Testing

@testable import FeedConformance
@testable import freshet

/// What `freshet conformance` is made of; scripts/test-conformance runs it against servers.
@Suite struct ConformanceCases {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/conformance")

    private static let vectors: [JSONValue] = {
        let file = FileManager.default.contents(
            atPath: folder.appendingPathComponent("client.json").path
        )
        let document = try? JSONValue(parsing: Array(file ?? Data()))
        return document?["vectors"]?.elements ?? []
    }()

    @Test func vectorsAndCasesAreAllThere() throws {
        let cases = try ConformanceCase.load(Self.folder.appendingPathComponent("cases"))
        #expect(Self.vectors.count >= 63)
        #expect(cases.count >= 160)
        #expect(Set(cases.map(\.name)).count == cases.count)
        #expect(cases.allSatisfy { !$0.citations.isEmpty && !$0.steps.isEmpty })
    }

    @Test(arguments: vectors.indices)
    func copiesHoldWhatTheVectorsSay(_ index: Int) throws {
        let vector = Self.vectors[index]
        let documents = try #require(vector["documents"]?.elements)
        var held = FeedReplica()
        for document in documents.dropLast() { try held.take(document) }
        let last = try #require(documents.last)
        if vector["refused"]?.isTrue == true {
            #expect(throws: CaseFailure.self) { try held.take(last) }
            #expect(held.document["token"]?.isNull == true)
        } else {
            try held.take(last)
            var names = CaseNames()
            try names.match(try #require(vector["holds"]), held.document, at: "copy")
        }
    }

    @Test(arguments: [
        #""changes","since":"aaaaaaaa.1","changes":{"items":{"remove":1}}"#,
        #""changes","since":"aaaaaaaa.1""#, #""changes","changes":{}"#,
        #""unchanged","token":"1""#, #""unchanged","order":"F960DA31""#,
        #""snapshot","sections":[{"id":"main","items":[{"id":"a"},{"id":"a"}]}]"#,
    ])
    func malformedDocumentsAreRefused(_ members: String) throws {
        let rest = [
            #""feed":"birds""#, #""token":"aaaaaaaa.1""#, #""count":1"#, #""order":"f960da31""#,
        ].filter { !members.contains($0.prefix { $0 != ":" }) }.joined(separator: ",")
        var held = FeedReplica()
        let first = #"""
            {"kind":"snapshot","feed":"birds","token":"aaaaaaaa.1","count":1,"order":"f960da31",
            "sections":[{"id":"main","count":1,"items":[{"id":"a"}]}]}
            """#
        try held.take(JSONValue(parsing: Array(first.utf8)))
        let document = try JSONValue(parsing: Array("{\"kind\":\(members),\(rest)}".utf8))
        #expect(throws: CaseFailure.self) { try held.take(document) }
        #expect(held.document["token"]?.isNull == true)
    }

    private static let matching: [(expected: String, actual: String, holds: Bool)] = [
        ("1", "1", true), ("1", "1.0", false), (#""1""#, "1", false), ("null", "null", true),
        ("[1, 2]", "[1,2]", true), ("[1]", "[1,2]", false), ("{}", "[]", false),
        (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, false),
        (#"{"$includes": {"a": 1}}"#, #"{"a": 1, "b": 2}"#, true),
        (#"{"$includes": {"c": {"$any": true}}}"#, #"{"a": 1}"#, false),
        (#"{"$includes": {"a": {"$absent": true}}}"#, #"{"a": 1}"#, false),
        (#"{"$includes": {"b": {"$absent": true}}}"#, #"{"a": 1}"#, true),
        (#"{"$token": "t"}"#, #""aaaaaaaa.7""#, true), (#"{"$token": "t"}"#, #""a.7""#, false),
        (#"{"$token": "old"}"#, #""aaaaaaaa.7""#, false),
        (#"{"$token": "t", "next": "old"}"#, #""aaaaaaaa.7""#, true),
        (#"{"$token": "t", "next": "old"}"#, #""aaaaaaaa.800""#, true),
        (#"{"$token": "t", "next": "old"}"#, #""aaaaaaaa.6""#, false),
        (#"{"$token": "t", "next": "old"}"#, #""aaaaaaaa.5""#, false),
        (#"{"$token": "t", "next": "old"}"#, #""bbbbbbbb.7""#, false),
        (#"{"$token": "t", "first": true}"#, #""bbbbbbbb.1""#, true),
        (#"{"$token": "t", "first": true}"#, #""bbbbbbbb.2""#, false),
        (#"{"$token": "t", "other": "old"}"#, #""bbbbbbbb.1""#, true),
        (#"{"$token": "t", "other": "old"}"#, #""aaaaaaaa.7""#, false),
        (#"{"$text": "a.c"}"#, #""a\nc""#, true), (#"{"$text": "a.c"}"#, #""abcd""#, false),
        (#"{"$number": [1, 9]}"#, "9", true), (#"{"$number": [1, 9]}"#, "10", false),
        (#"{"$number": [1, 9]}"#, #""5""#, false),
        (#""${old}""#, #""aaaaaaaa.6""#, true), (#""${old.epoch}""#, #""aaaaaaaa""#, true),
        (#"{"${feed}": 1}"#, #"{"mine-a": 1}"#, true), (#""${unknown}""#, #""x""#, false),
    ]

    @Test(arguments: matching)
    func valuesMatch(_ expected: String, _ actual: String, _ holds: Bool) throws {
        var names = CaseNames(["old": "aaaaaaaa.6", "feed": "mine-a"])
        let expected = try JSONValue(parsing: Array(expected.utf8))
        let actual = try JSONValue(parsing: Array(actual.utf8))
        if holds {
            try names.match(expected, actual, at: "content")
        } else {
            #expect(throws: CaseFailure.self) {
                try names.match(expected, actual, at: "content")
            }
        }
    }

    @Test(arguments: [
        "{}", #"{"cases": 1}"#, #"{"cases": [{"name": "a"}]}"#, "[",
        #"{"cases": [{"name": "a", "steps": [{"pause": 1}]}]}"#,
    ])
    func filesThatHoldNoCasesAreRefused(_ file: String) {
        #expect(throws: CaseFailure.self) {
            try ConformanceCase.read(Array(file.utf8), file: "some")
        }
    }

    @Test func casesAreFoundBesideAnInstalledCommandAndInTheSources() throws {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-\(UInt64.random(in: 0 ... .max))")
            .resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: root) }
        let command = root.appendingPathComponent("bin/freshet")
        #expect(throws: CommandFailure.self) { try ConformanceCommand.ownCases(command) }
        for place in ["docs/conformance/cases", "share/freshet/conformance/cases"] {
            let folder = root.appendingPathComponent(place)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try ConformanceCommand.ownCases(command).path == folder.path)
        }
    }
}
