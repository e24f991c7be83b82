import FeedClient
import FeedModel
import Foundation
import Stories
import Testing

/// The logic of the examples.
@Suite struct ExampleStories {
    @Test(arguments: [
        (FeedFreshness.neverLoaded, "Loading …"), (.missing, "This feed is gone."),
        (
            .gone(since: Date(timeIntervalSince1970: 400)),
            "The server has not had this feed for 10 minutes"
        ),
        (.cached(asOf: Date(timeIntervalSince1970: 940)), "As of 1 minute ago"),
        (.current(asOf: Date(timeIntervalSince1970: 400)), "Updated 10 minutes ago"),
    ])
    func sayHowOldTheListIs(_ freshness: FeedFreshness, _ words: String) {
        let now = Date(timeIntervalSince1970: 1_000)
        #expect(StoryWords.freshness(freshness, now: now) == words)
    }

    @Test func sayWhatARefreshBrought() {
        #expect(StoryWords.announcement(nil) == nil)
        #expect(StoryWords.announcement(RefreshCounts(.unchanged)) == "Nothing new")
        #expect(StoryWords.announcement(RefreshCounts(.gone)) == "Updated")
    }

    @Test func makeAServiceThatKeepsFeeds() throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let service = StoryService.make(baseURL: url)
        #expect(service.cache != nil && service.baseURL == url)
        #expect(StoryService.feed?.rawValue == "news")
    }

    @Test @MainActor func announceWhatIsNewAndKeepWhatThereIsOffline() async throws {
        let feed = try #require(StoryService.feed)
        let server = InMemoryServer()
        try server.replace(feed, withItems: [Story(id: "a", title: "One")])
        let stories = LiveFeed(feed, of: server.service(), as: Story.self)
        #expect(StoryWords.announcement(await stories.refresh()) == "Updated")

        try server.replace(
            feed,
            withItems: [Story(id: "b", title: "New"), Story(id: "a", title: "1")]
        )
        #expect(StoryWords.announcement(await stories.refresh()) == "1 new, 1 changed")

        server.fail(.offline)
        #expect(StoryWords.announcement(await stories.refresh()) == nil)
        #expect(stories.sections[0].rows.map(\.item?.title) == ["New", "1"])
        #expect(stories.problem != nil)
    }

    @Test func decodeAStory() throws {
        let json = Data(#"{"id":"a","title":"One","author":"Ada","summary":"Two","more":3}"#.utf8)
        let story = try JSONDecoder().decode(Story.self, from: json)
        #expect(story.subtitle == "Ada · Two")
    }

    @Test(arguments: [
        (#""author":{"name":"Ada","url":"https://ada.example"}"#, "Ada"),
        (#""author":{"url":"https://ada.example"}"#, ""), (#""author":7,"url":"no address""#, ""),
    ])
    func decodeOptionalMembersOfAnyForm(_ members: String, _ subtitle: String) throws {
        let json = Data(#"{"id":"a","title":"One",\#(members)}"#.utf8)
        let story = try JSONDecoder().decode(Story.self, from: json)
        #expect(story.subtitle == subtitle)
    }
}
