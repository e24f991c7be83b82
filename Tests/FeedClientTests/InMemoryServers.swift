import FeedClient
import FeedModel
import Foundation
import Stories
import Testing

/// What an app's tests use in the place of a server.
@Suite(.timeLimit(.minutes(2))) @MainActor struct InMemoryServers {
    private let server = InMemoryServer()
    private let name: FeedName

    init() throws {
        name = try #require(FeedName("news"))
    }

    private func story(_ id: String, _ title: String = "A story") -> Story {
        Story(id: id, title: title)
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func feed() -> LiveFeed<Story> { LiveFeed(name, of: server.service(), as: Story.self) }

    private func ids(_ feed: LiveFeed<Story>) -> [String] {
        feed.sections.flatMap { $0.rows.map(\.id) }
    }

    @Test func sayWhatChangedSinceAVersion() async throws {
        let stories = feed()
        #expect(await stories.refresh()?.isMissing == true)
        let token = try server.replace(name, withItems: [story("a"), story("b")])
        #expect(await stories.refresh()?.isReplaced == true)
        #expect(stories.token == token)
        #expect(await stories.refresh()?.isUnchanged == true)
        try server.replace(name, withItems: [story("b", "Other"), story("c"), story("a")])
        let counts = try #require(await stories.refresh())
        #expect((counts.inserted, counts.updated, counts.moved) == (1, 1, 1))
        #expect(ids(stories) == ["b", "c", "a"])
        #expect(server.requests.last?.target == "/feeds/news?since=\(token)")
        #expect(try server.replace(name, withItems: [story("x")]) != token)
        let same = try server.replace(name, withItems: [story("x")])
        #expect(try server.replace(name, withItems: [story("x")]) == same)
        #expect(server.remove(name))
        #expect(!server.remove(name))
        #expect(await stories.refresh()?.isMissing == true)
    }

    @Test func countTheItemsOfSectionsThatGo() async throws {
        let stories = feed()
        func document(_ ids: String...) -> Data {
            let sections = ids.map {
                #"{"id":"\#($0)","items":[{"id":"\#($0)1"},{"id":"\#($0)2"}]}"#
            }
            return Data(#"{"sections":[\#(sections.joined(separator: ","))]}"#.utf8)
        }
        try server.publish(document("a", "b"), to: name)
        await stories.refresh()
        try server.publish(document("a"), to: name)
        #expect(await stories.refresh()?.removed == 2)
    }

    @Test func showAViewOfAFeed() async throws {
        try server.replace(name, withItems: (0..<5).map { story("\($0)") })
        let first = LiveFeed(
            name,
            of: server.service(),
            as: Story.self,
            view: FeedView(limit: 2)
        )
        await first.refresh()
        #expect(ids(first) == ["0", "1"])
        #expect(first.total == 5 && first.sections[0].count == 5)
        try server.replace(name, withItems: (1..<9).map { story("\($0)") })
        await first.refresh()
        #expect(ids(first) == ["1", "2"] && first.total == 8)
    }

    @Test func sendWhatChangesToThoseWhoFollow() async throws {
        try server.replace(name, withItems: [story("a")])
        let stories = feed()
        let following = Task { await stories.follow() }
        await until { stories.state == .live }
        for count in 2...5 {
            try server.replace(name, withItems: (0..<count).map { story("\($0)") })
            await until { stories.sections.first?.rows.count == count }
        }
        server.remove(name)
        await until { if case .gone = stories.freshness { true } else { false } }
        #expect(stories.sections.first?.rows.count == 5)
        try server.replace(name, withItems: [story("z")])
        await until { ids(stories) == ["z"] }
        #expect(server.requests.count == 1)
        following.cancel()
        await following.value
    }

    @Test func holdRequestsThatWait() async throws {
        try server.replace(name, withItems: [story("a")])
        let other = try #require(FeedName("other"))
        try server.replace(other, withItems: [story("x")])
        let service = server.service()
        let feeds = [Feed(name, of: service), Feed(other, of: service)]
        #expect(try await service.pull(feeds).count == 2)
        let waiting = Task { try await feeds[0].wait() }
        await until { server.requests.last?.target.contains("wait=") == true }
        try server.replace(other, withItems: [story("y")])
        try server.replace(name, withItems: [story("b")])
        guard case .changes = try await waiting.value else {
            Issue.record("no changes")
            return
        }
        #expect(try await service.pull(feeds).map(\.feed.name) == [other])
        let cancelled = Task { try await feeds[0].wait() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test func goOfflineAndComeBack() async throws {
        try server.replace(name, withItems: [story("a")])
        let stories = feed()
        await stories.refresh()
        server.fail(.offline)
        try server.replace(name, withItems: [story("a"), story("b")])
        #expect(await stories.refresh() == nil)
        #expect(stories.state == .offline && ids(stories) == ["a"])
        guard case .unreachable = stories.problem else {
            Issue.record("\(String(describing: stories.problem))")
            return
        }
        server.recover()
        #expect(await stories.refresh()?.inserted == 1)
        #expect(stories.problem == nil && ids(stories) == ["a", "b"])
    }

    @Test func endStreamsWhenTheyGoOffline() async throws {
        try server.replace(name, withItems: [story("a")])
        let stories = feed()
        let following = Task { await stories.follow() }
        await until { stories.state == .live }
        server.fail(.offline)
        await until { stories.state == .offline }
        try server.replace(name, withItems: [story("b")])
        server.recover()
        await until { ids(stories) == ["b"] }
        following.cancel()
        await following.value
    }

    @Test func refuseAsManyRequestsAsTheyAreTold() async throws {
        try server.replace(name, withItems: [story("a")])
        let stories = feed()
        let key = InMemoryServer.Fault.refusal(
            status: 401,
            type: "/problems/key",
            detail: "a key is needed"
        )
        server.fail(key, count: 2)
        for _ in 0..<2 {
            #expect(await stories.refresh() == nil)
            #expect(
                stories.problem
                    == .problem(status: 401, type: "/problems/key", detail: "a key is needed")
            )
        }
        #expect(await stories.refresh()?.isReplaced == true)
        server.fail(.page(), count: 1)
        #expect(await stories.refresh() == nil)
        guard case .unexpected = stories.problem else {
            Issue.record("\(String(describing: stories.problem))")
            return
        }
    }

    @Test func holdAnswersUntilTheyAreReleased() async throws {
        try server.replace(name, withItems: [story("a")])
        server.hold()
        let stories = feed()
        let refreshing = Task { await stories.refresh() }
        await until { stories.state == .refreshing }
        #expect(stories.isNeverLoaded)
        server.release()
        #expect(await refreshing.value?.isReplaced == true)
        #expect(stories.state == .idle)
    }

    @Test func takeWhatAServicePublishes() async throws {
        let service = server.service(key: "a-key")
        let first = try await service.replace(name, withItems: [story("a"), story("b")])
        #expect(first.since == nil && first.isChanged && first.counts.items.inserted == 2)
        let token = try #require(first.token)
        #expect(server.requests.last?.fields["Authorization"] == "Bearer a-key")
        let dry = try await service.replace(
            name,
            withItems: [story("a")],
            options: PublishOptions(isDryRun: true)
        )
        #expect(dry.isDryRun && dry.counts.items.removed == 1 && dry.token == nil)
        let second = try await service.replace(
            name,
            withItems: [story("b")],
            options: PublishOptions(ifMatch: token)
        )
        #expect(second.since == token)
        do {
            let options = PublishOptions(ifMatch: token)
            _ = try await service.replace(name, withItems: [story("c")], options: options)
            Issue.record("published on top of another version")
        } catch FeedServiceError.problem(let status, let type, _) {
            #expect((status, type) == (412, "/problems/precondition"))
        }
        #expect(try await service.feeds().map(\.id) == ["news"])
        #expect(try await service.items(["b", "z"], of: name).keys.sorted() == ["b"])
        try await service.checkReadiness()
        #expect(try await service.remove(name))
        #expect(try await !service.remove(name))
        #expect(try await service.feeds().isEmpty)
        await #expect(throws: FeedServiceError.self) {
            try await service.insert(story("d"), into: name)
        }
    }

    @Test(arguments: ["{}", #"{"items":[{}]}"#, #"{"items":[{"id":"a"},{"id":"a"}]}"#, "["])
    func refuseWhatIsNoFeed(_ document: String) async throws {
        #expect(throws: DocumentError.self) { try server.publish(Data(document.utf8), to: name) }
        let service = server.service()
        await #expect(throws: FeedServiceError.self) {
            try await service.publish(Data(document.utf8), to: name)
        }
        #expect(try await service.feeds().isEmpty)
    }

    @Test func beginAgainForThoseWhoseVersionIsForgotten() async throws {
        let stories = feed()
        try server.replace(name, withItems: [story("a")])
        await stories.refresh()
        for number in 0..<100 { try server.replace(name, withItems: [story("\(number)")]) }
        #expect(await stories.refresh()?.isReplaced == true)
        server.remove(name)
        try server.replace(name, withItems: [story("b")])
        #expect(await stories.refresh()?.isReplaced == true)
        #expect(ids(stories) == ["b"])
    }

    @Test func previewsShowWhatTheyAreGivenAtOnce() async throws {
        let sections = [
            PreviewSection(id: "top", title: "Top", index: "T", items: [story("a", "One")]),
            PreviewSection(id: "more", items: [story("b"), story("c")]),
        ]
        let preview = FeedPreview(sections: sections, title: "Stories")
        #expect(preview.feed.title == "Stories")
        #expect(preview.feed.sections.map(\.title) == ["Top", nil])
        #expect(preview.feed.sections[0].indexTitle == "T")
        #expect(preview.feed.sections[0].rows[0].item == story("a", "One"))
        #expect(!preview.feed.isNeverLoaded && preview.server.requests.isEmpty)
        try preview.show([story("d")])
        await until { ids(preview.feed) == ["d"] }
        #expect(preview.feed.title == "Stories")
        preview.server.fail(.offline)
        #expect(await preview.feed.refresh() == nil)
        #expect(preview.feed.state == .offline)
    }

    @Test func previewsChangeWhileTheyAreFollowed() async throws {
        let preview = FeedPreview([story("a")])
        let following = Task { await preview.feed.follow() }
        await until { preview.feed.state == .live }
        try preview.show([story("a"), story("b")])
        await until { ids(preview.feed) == ["a", "b"] }
        following.cancel()
        await following.value
    }

    @Test func previewsSayHowOldTheyAreAndWhatIsWrong() async throws {
        let then = Date(timeIntervalSince1970: 940)
        let old = FeedPreview([story("a")], freshness: .cached(asOf: then))
        #expect(
            StoryWords.freshness(old.feed.freshness, now: Date(timeIntervalSince1970: 1_000))
                == "As of 1 minute ago"
        )
        let wrong = FeedPreview([story("a"), story("a")])
        #expect(wrong.feed.isNeverLoaded && wrong.feed.sections.isEmpty)
        #expect(wrong.feed.problem?.description.contains("items[1]") == true)
        #expect(throws: DocumentError.self) { try old.show([story("b"), story("b")]) }
        #expect(ids(old.feed) == ["a"])
    }
}
