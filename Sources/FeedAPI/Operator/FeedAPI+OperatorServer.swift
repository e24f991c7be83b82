import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import Platform
import Synchronization

/// Makes the document about the state of the server, for the operator's page.
extension FeedAPI {
    /// Returns the document, in JSON.
    func serverDocument(_ status: ServerStatus) -> [UInt8] {
        let api = service.newestAPI ?? self
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "server")
        writer.member("version", status.version)
        writer.member("started", CivilDate.rfc3339(status.started))
        api.writeReadiness(to: &writer)
        api.writeMemory(status, to: &writer)
        api.writeFeeds(to: &writer)
        FeedAPI.writeLoad(status, to: &writer)
        if let open = status.descriptorCount, let limit = status.descriptorLimit {
            writer.beginObject("descriptors")
            writer.member("open", open)
            writer.member("limit", limit)
            writer.endObject()
        }
        api.writeJournalAndMirror(status, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    private func writeReadiness(to writer: inout JSONWriter) {
        do throws(Problem) {
            let text = try readiness()
            writer.member("ready", true)
            writer.member("state", text.split(separator: "\n").first.map(String.init) ?? text)
        } catch {
            writer.member("ready", false)
            writer.member("state", error.detail)
        }
    }

    private func writeMemory(_ status: ServerStatus, to writer: inout JSONWriter) {
        let cost = store.cost
        writer.beginObject("memory")
        if let resident = status.residentByteCount { writer.member("process", resident) }
        writer.member("limit", store.memoryByteLimit)
        writer.member("current", cost.current)
        writer.member("history", cost.history)
        writer.member("responses", cost.attached)
        writer.member("idempotency", store.answerBytes.byteCount)
        writer.member("connections", status.loops.reduce(0) { $0 + $1.heldByteCount })
        writer.endObject()
    }

    private func writeFeeds(to writer: inout JSONWriter) {
        writer.beginObject("feeds")
        writer.member("count", store.feedCount)
        writer.member("versions", store.versionCount)
        writer.endObject()
        let publishes = service.publishes.withLock(\.self)
        writer.beginObject("publishes")
        writer.member("changed", publishes.changed)
        writer.member("unchanged", publishes.unchanged)
        writer.endObject()
        let sources = configuration.sources?.counts ?? (all: 0, failing: 0)
        writer.beginObject("sources")
        writer.member("count", sources.all)
        writer.member("failing", sources.failing)
        writer.endObject()
        writer.member("keys", access.keys.count + access.signingKeys.count)
    }

    private static func writeLoad(_ status: ServerStatus, to writer: inout JSONWriter) {
        let loops = status.loops
        func sum(_ count: (LoopReport) -> Int) -> Int { loops.reduce(0) { $0 + count($1) } }
        writer.beginObject("connections")
        writer.member("open", sum(\.openConnectionCount))
        writer.member("longPolls", sum(\.metrics.longPollCount))
        writer.member("streams", sum(\.metrics.streamCount))
        writer.endObject()
        writer.beginObject("responses")
        writer.member("count", sum(\.metrics.responseCount))
        writer.member("notModified", sum(\.metrics.notModifiedCount))
        writer.member("contentBytes", sum(\.metrics.contentByteCount))
        writer.member("savedBytes", sum(\.metrics.savedByteCount))
        writer.endObject()
        writer.beginArray("loops")
        for loop in loops {
            writer.beginObject()
            writer.member("responsive", loop.isAlive)
            writer.member("lagMicroseconds", Int(loop.lag / .microseconds(1)))
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeJournalAndMirror(_ status: ServerStatus, to writer: inout JSONWriter) {
        if let journal = status.journal {
            writer.beginObject("journal")
            writer.member("healthy", journal.trouble == nil)
            if let trouble = journal.trouble { writer.member("trouble", trouble) }
            if let free = journal.freeByteCount { writer.member("freeBytes", free) }
            writer.endObject()
        }
        if let mirror = status.mirror {
            writer.beginObject("mirror")
            writer.member("following", mirror.isFollowing)
            writer.member("behind", mirror.behindFeedCount)
            writer.endObject()
        }
    }
}
