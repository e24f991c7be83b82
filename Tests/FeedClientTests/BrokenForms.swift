import FeedModel
import FeedStore
import Foundation
import HTTPServer
import Testing

@testable import FeedClient

/// Answers in every form that HTTP has for them, which end after any byte.
@Suite(.timeLimit(.minutes(30))) struct BrokenForms {
    private static let forms = ["identity", "gzip"].flatMap { coding in
        [CuttingProxy.Form.Framing.sized, .chunked, .unbounded].map { framing in
            CuttingProxy.Form(framing: framing, coding: coding)
        }
    }

    /// What is asked for while something is held.
    enum Question: CaseIterable {
        case snapshot, changes, pull, rows
    }

    /// Long enough to be compressed, where it is to be.
    private static func document(_ count: Int, _ form: CuttingProxy.Form, _ mark: Int) -> String {
        let text = String(repeating: "x", count: form.coding == "gzip" ? 1_100 : 3)
        let items = (0..<count).map { number in
            let isNew = number == 1
            return #"{"id":"\#(number)","text":"\#(text)\#(isNew ? mark : 0)"}"#
        }
        return #"{"items":[\#(items.joined(separator: ","))]}"#
    }

    /// Feeds that hold what they are to hold before the question.
    private static func feeds(_ question: Question, _ service: FeedService) async throws -> [Feed] {
        let names = question == .pull ? ["news", "sports"] : ["news"]
        let view = question == .rows ? FeedView(limit: 1) : FeedView()
        let feeds = try names.map { id in
            Feed(try #require(FeedName(id)), of: service, view: view, showsChanges: true)
        }
        if question != .snapshot { for feed in feeds { try await feed.refresh() } }
        return feeds
    }

    private static func ask(_ question: Question, _ feeds: [Feed]) async throws {
        switch question {
        case .snapshot, .changes: try await feeds[0].refresh()
        case .pull: try await feeds[0].service.pull(feeds)
        case .rows: try await feeds[0].loadMore(2)
        }
    }

    /// The places to cut an answer at.
    ///
    /// Every form is cut at each byte of one question's answer, and the plainest one of all
    /// questions', heads too. What the form and the question do together is cut at some places.
    private static func places(_ form: CuttingProxy.Form, _ question: Question) -> [Int] {
        let isPlain = form.framing == .sized && form.coding == "identity"
        let isEachByte = isPlain || question == .changes
        let heads = isEachByte && form.framing == .sized ? Array(0..<80) : [0, 1, 40]
        return heads + Array(stride(from: 80, to: 10_000, by: isEachByte ? 1 : 11))
    }

    @Test(arguments: BrokenForms.forms, Question.allCases)
    func leaveWhatWasHeldOrBringAll(_ form: CuttingProxy.Form, _ question: Question) async throws {
        let server = try FaultyServer()
        let proxy = CuttingProxy(to: server.server.port, as: form)
        let service = FeedService(baseURL: try #require(URL(string: proxy.url)), key: "a-key")
        for id in ["news", "sports"] {
            try server.publish(id, document: Self.document(3, form, 1))
        }
        var feeds = try await Self.feeds(question, service)
        for byteCount in Self.places(form, question) {
            if question == .snapshot || question == .rows {
                feeds = try await Self.feeds(question, service)
            }
            if question != .rows {
                for id in ["news", "sports"] {
                    try server.publish(id, document: Self.document(3, form, byteCount + 2))
                }
            }
            let old = await feeds[0].copy
            proxy.cut(after: byteCount, byteCount.isMultiple(of: 5) ? .reset : .closed)
            do {
                try await Self.ask(question, feeds)
            } catch {
                let held = await feeds[0].copy
                #expect(held.token == old.token, "after \(byteCount) bytes")
                #expect(held.snapshot.count == old.snapshot.count, "after \(byteCount) bytes")
                #expect(held.view == old.view, "after \(byteCount) bytes")
                #expect(error is FeedServiceError, "after \(byteCount) bytes")
                try await Self.ask(question, feeds)
            }
            for feed in feeds {
                let current = try #require(server.store.current(feed.name))
                let copy = await feed.copy
                #expect(copy.token == current.token, "after \(byteCount) bytes")
                #expect(
                    TableRules.sections(of: copy.snapshot)
                        == TableRules.sections(of: current.snapshot),
                    "after \(byteCount) bytes"
                )
            }
            guard proxy.wasCut else {
                #expect(byteCount > 150, "there was something to cut")
                break
            }
        }
        await server.stop()
    }
}
