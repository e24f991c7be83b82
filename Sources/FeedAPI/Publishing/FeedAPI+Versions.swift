import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform
import Synchronization

/// Lists, restores and removes older versions of feeds, for callers who may write the feed
/// (docs/PUBLISHING.md, "Going back").
extension FeedAPI {
    /// `GET /feeds/{feed}/versions`: the versions that are remembered or in the journal, the newest
    /// first.
    ///
    /// - Throws: `401`, `403` or `404` for a caller who may not write the feed; the reply is `410`
    ///   if the version in the query, before which the page begins, is forgotten.
    func readVersions(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard request.caller != nil else { throw .unauthorized("this needs a key") }
        guard let feed = FeedName(request.head.text(request.route.feed)) else { throw .noFeed }
        try access.checkWrite(feed, request.caller)
        let limit = try request.query.number(.limit, in: 1...RowQuery.maximumLimit) ?? 20
        let before = try request.query.token(.before)
        guard store.current(feed) != nil else { throw .noFeed }
        let (query, client) = (request.query, request.client)
        return .later { responder in
            self.store.versions(of: feed, before: before, limit: limit + 1) { found in
                let size = WorkSize(byteCount: 200 * limit)
                self.onThread(size, client, responder) {
                    do throws(Problem) {
                        let versions = try self.versions(found, of: feed, before, query)
                        responder(self.response(versions, atMost: limit, of: feed, query))
                    } catch {
                        responder(error.response)
                    }
                }
            }
        }
    }

    /// Returns the listed versions that a search of memory and journal has found.
    ///
    /// - Throws: `404` if the feed was deleted meanwhile, `410` if the version `before` is
    ///   forgotten, `503` if the journal could not be searched.
    private func versions(
        _ found: Result<[ListedVersion]?, JournalError>,
        of feed: FeedName,
        _ before: Token?,
        _ query: Query
    ) throws(Problem) -> [ListedVersion] {
        switch found {
        case .success(let versions?): return versions
        case .success(nil):
            guard store.current(feed) != nil else { throw .noFeed }
            throw FeedAPI.forgotten(before, first: FeedAPI.reference(query, nil))
        case .failure(let error): throw .journalUnavailable(error.description)
        }
    }

    /// Returns the response with a page of the list of versions.
    private func response(
        _ versions: [ListedVersion],
        atMost limit: Int,
        of feed: FeedName,
        _ query: Query
    ) -> Response {
        let page = versions.prefix(limit)
        let last = versions.count > limit ? page.last?.token : nil
        let next = last.map { FeedAPI.reference(query, $0) }
        var fields = HTTPFields.notStored("application/json")
        if let next { fields[.link] = "<\(next)>; rel=\"next\"" }
        if !access.isOpen(feed) { fields.addVary("Authorization") }
        let body = FeedAPI.document(page, of: feed, next: next)
        return Response(status: .ok, fields: fields, body: .bytes(body))
    }

    /// `POST /feeds/{feed}/restore`: makes the content of an older version current again.
    func restore(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        var request = try PublishRequest(
            routed,
            access,
            accepting: [],
            knowing: [.dryRun, .version]
        )
        guard let token = try routed.query.token(.version) else {
            throw .malformed("the query parameter \"version\" says which version, and is missing")
        }
        request.origin = .restored(token)
        return .later { [request] responder in
            self.store.olderVersion(token, of: request.feed) { found in
                let action = Publish.Action.change { _ throws(Problem) in
                    { _ throws(Problem) in
                        switch found {
                        case .success(let version?): return version.snapshot
                        case .success(nil): throw FeedAPI.forgotten(token, first: nil)
                        case .failure(let error): throw .journalUnavailable(error.description)
                        }
                    }
                }
                Publish(request, action, content: [], in: self, responder).lookUp()
            }
        }
    }

    /// `DELETE /feeds/{feed}/versions/{token}`: removes an older version.
    func forgetVersion(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let request = try PublishRequest(
            routed,
            access,
            accepting: [],
            knowing: [.dryRun],
            changesContent: false
        )
        guard let token = Token(routed.id.string) else {
            throw .malformed("the version in the path is no token")
        }
        return beginPublish(request, .forgetting(token))
    }

    /// Returns the `410` for a version that is neither in memory nor in the journal.
    ///
    /// - Parameter first: The reference to the first page of the list, for Link.
    fileprivate static func forgotten(_ token: Token?, first: String?) -> Problem {
        let words = token.map { "the version \($0)" } ?? "that version"
        var problem = Problem(
            .versionForgotten,
            .gone,
            "\(words) of this feed is neither remembered nor kept"
        )
        if let first { problem.fields[.link] = "<\(first)>; rel=\"first\"" }
        return problem
    }

    /// Returns the reference to the page of the list that begins before a version, relative to the
    /// request's URL; `nil`: the first page.
    private static func reference(_ query: Query, _ before: Token?) -> String {
        let added = before.map { [(Query.Parameter.before, $0.description)] } ?? []
        return query.reference(without: [.before], adding: added)
    }

    private static func document(
        _ versions: ArraySlice<ListedVersion>,
        of feed: FeedName,
        next: String?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "versions")
        writer.member("feed", feed.rawValue)
        writer.beginArray("versions")
        for version in versions {
            writer.beginObject()
            writer.member("token", version.token.description)
            writer.member("published", CivilDate.rfc3339(Int(version.published)))
            write(version.details.origin, to: &writer)
            if let counts = version.details.itemCounts {
                writer.member("items", counts)
            }
            writer.member("count", version.count)
            writer.endObject()
        }
        writer.endArray()
        if let next { writer.member("next", next) }
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ origin: VersionOrigin?, to writer: inout JSONWriter) {
        guard let origin else { return writer.member("by", json: Array("null".utf8)) }
        writer.beginObject("by")
        switch origin {
        case .key(let name): writer.member("key", name)
        case .signer(let kid): writer.member("kid", kid)
        case .source: writer.member("source", true)
        case .derivation: writer.member("derived", true)
        case .restored(let token): writer.member("restore", token.description)
        }
        writer.endObject()
    }
}

/// Delays reads of older versions that only the journal may have.
extension FeedAPI {
    /// The longest time for which a read waits for the journal.
    private static let recallTime = Duration.seconds(10)

    /// Returns a reply that waits until the journal was searched, for a read of an older version
    /// that is not in memory.
    ///
    /// - Returns: `nil` for all other reads, and for callers that may not write the feed: they
    ///   cannot read versions of the journal.
    func recalling(_ routed: borrowing RoutedRequest) -> Reply? {
        guard routed.isRead else { return nil }
        guard case .feed = routed.route.resource.names, routed.caller != nil,
            let feed = FeedName(routed.head.text(routed.route.feed)),
            let token = try? routed.query.token(.version),
            let current = store.current(feed)?.token, current.hasSameEpoch(as: token),
            token.version < current.version, store.keepsOlderVersions(of: feed),
            (try? access.checkWrite(feed, routed.caller)) != nil,
            store.version(token, of: feed) == nil
        else { return nil }
        let late = Problem.journalUnavailable("the version was not read in time")
        return lookingUp(for: routed, within: FeedAPI.recallTime, orElse: late) { done in
            store.olderVersion(token, of: feed) { result in
                switch result {
                case .success(let version):
                    var found = LookUps(skipsUpstream: true, skipsJournal: true)
                    found.journalVersion = version
                    done(.success(found))
                case .failure(let error): done(.failure(.journalUnavailable(error.description)))
                }
            }
        }
    }
}

/// Removes an older version, as the action of a publish.
extension Publish {
    /// Removes the version from memory and journal, and responds.
    func forget(_ token: Token) {
        guard let current = api.store.current(request.feed) else { return respond(.noFeed) }
        do throws(Problem) {
            try request.check(current, at: api.store.wallSeconds)
        } catch {
            return respond(error)
        }
        api.store.forget(token, of: request.feed, dryRun: request.isDryRun) { outcome in
            switch outcome {
            case .done where self.request.isDryRun: self.respondUnchanged(current)
            case .done:
                self.api.cache.forgetPast(of: self.request.feed)
                self.api.service.publishes.withLock { $0.forgotten += 1 }
                var record = self.request.record
                record.forgotten = token
                self.api.configuration.reportPublish(record)
                self.respondForgotten(tries: 3)
            case .isCurrent:
                let words = "the version \(token) is the current one: publish, or restore another"
                self.respond(Problem(.conflict, .conflict, words))
            case .unknown: self.respond(FeedAPI.forgotten(token, first: nil))
            case .refused(let reason):
                if !self.request.isDryRun { self.api.service.work.refusals.note(.losses, reason) }
                self.respond(.journalUnavailable(reason))
            case .undecided(let reason):
                self.api.service.work.refusals.note(.losses, reason)
                self.respond(.outcomeUnknown(reason))
            }
        }
    }

    /// Responds as a dry run does: the feed's content would not change.
    private func respondUnchanged(_ current: Version) {
        let publication = api.store.publication(
            of: current.snapshot,
            current.feed,
            after: current,
            dryRun: true
        )
        respond(response(to: publication))
    }

    /// Responds that the version is forgotten, once the journal has stored the response beside the
    /// unchanged feed.
    ///
    /// - Parameter tries: The number of attempts while other servers publish to the feed.
    private func respondForgotten(tries: Int) {
        let response = Response(status: .noContent)
        guard let answer = journalAnswer({ _ in response }) else { return respond(response) }
        api.store.publish(
            request.feed,
            { current throws(Never) in current?.snapshot },
            answer: answer
        ) { outcome in
            if case .late = outcome, tries > 1 { return self.respondForgotten(tries: tries - 1) }
            self.respond(response)
        }
    }
}
