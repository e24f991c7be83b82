import FeedModel
import FeedStore
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// Fetches that are under way end when the server stops, or when their source is removed.
@Suite(.timeLimit(.minutes(2))) struct EndingFetches {
    private let servers = RawServers()

    enum End: CaseIterable {
        case stop, removal, replacement
    }

    /// A place where a fetch can be when it is to end.
    enum Place: CaseIterable {
        /// It waits for the head of a response, for the rest of its body, or for a host to which it
        /// was redirected.
        case head, body, turn
    }

    private func source(_ name: String, _ url: String, _ proxy: RawServer) throws -> SourceSettings
    {
        var source = SourceSettings(feed: try #require(FeedName(name)), location: .web(url))
        source.proxy = proxy.url
        return source
    }

    @Test(arguments: End.allCases, Place.allCases)
    func endAtOnce(_ end: End, _ place: Place) async throws {
        let (came, closed) = (Event(), Event())
        let proxy = servers.serving { head, connection in
            if head.contains("//redirecting.invalid") {
                _ = connection.answer("302 Found", ["Location: http://busy.invalid/other"])
                came.happened()
                return true
            }
            if head.contains("/free") { return connection.answer("200 OK", [], rss([2])) }
            if place == .body {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<rss>")
            }
            came.happened()
            // Nothing comes before the client closes.
            _ = connection.read(1)
            closed.happened()
            return false
        }
        var sources = [try source("news", "http://busy.invalid/", proxy)]
        if place == .turn {
            sources.append(try source("second", "http://redirecting.invalid/", proxy))
        }
        let feeds = try SourcedFeeds(sources)
        feeds.service.take(.ended)
        var waiting: [Task<String?, any Error>] = []
        for source in sources {
            let name = source.feed.rawValue
            waiting.append(Task { try await feeds.failure(name) })
            #expect(await came.awaited())
        }
        let free = try source("news", "http://free.invalid/free", proxy)
        switch end {
        case .stop: feeds.service.stop()
        case .removal: feeds.service.take([])
        case .replacement: feeds.service.take([free])
        }
        #expect(await closed.awaited())
        while feeds.service.taskCount > 0 { await Task.yield() }
        if end == .replacement {
            // The new source answers those that wait.
            #expect(try await feeds.failure() == nil)
            #expect(try feeds.ids() == ["n2"])
        } else {
            #expect(try feeds.ids() == [])
        }
        for (index, task) in waiting.enumerated() {
            let failure = try await task.value
            let isTaken = end == .replacement && index == 0
            #expect((failure == nil) == isTaken)
            if !isTaken {
                let words = end == .stop ? "the server is stopping" : "has no source any more"
                #expect(failure?.contains(words) == true)
            }
        }
    }

    /// A source that comes back is fetched anew, though the fetch before has hardly ended.
    @Test func aSourceThatComesBackIsFetched() async throws {
        let came = Event()
        let count = Atomic(0)
        let proxy = servers.serving { _, connection in
            if count.add(1, ordering: .relaxed).newValue > 1 {
                return connection.answer("200 OK", [], rss([1]))
            }
            came.happened()
            _ = connection.read(1)
            return false
        }
        let settings = try source("news", "http://a.invalid/", proxy)
        let feeds = try SourcedFeeds([settings])
        feeds.service.take(.ended)
        let first = Task { try await feeds.failure() }
        #expect(await came.awaited())
        feeds.service.take([])
        feeds.service.take([settings])
        #expect(try await first.value?.contains("has no source any more") == true)
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ["n1"])
    }
}
