import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

extension ResponseBuilder {
    /// The response with a feed in a format of feed readers.
    func syndicated(_ read: SyndicationRead, _ tag: EntityTag) -> CachedResponse {
        counters.addDocument()
        let items = read.page.items(of: read.version.snapshot)
        return syndicated(read, tag, items, read.links, status: .ok) { _ in }
    }

    /// `226` with the entries alone that are new or changed since a version.
    func syndicated(
        _ read: SyndicationRead,
        _ tag: EntityTag,
        _ news: [FeedItem],
        sent: String
    ) -> CachedResponse {
        let status = HTTPResponse.Status(code: 226, reasonPhrase: "IM Used")
        return syndicated(read, tag, news, SyndicatedFeed.Links(), status: status) { fields in
            fields[.im] = "feed"
            fields[.deltaBase] = sent
            fields[.cacheControl] = "no-store, im"
        }
    }

    private func syndicated(
        _ read: SyndicationRead,
        _ tag: EntityTag,
        _ items: [FeedItem],
        _ links: SyndicatedFeed.Links,
        status: HTTPResponse.Status,
        finish: (inout HTTPFields) -> Void
    ) -> CachedResponse {
        let feed = SyndicatedFeed(
            read.version.snapshot,
            read.options(for: items),
            changed: Int(read.version.published),
            items: items,
            links: links
        )
        let (body, coding) = alwaysWanted {
            ResponseBuilder.coded(feed.document(read.format), read.coding, while: $0)
        }
        var fields = syndicatedFields(read, tag, coding, links)
        finish(&fields)
        return CachedResponse(
            Response(status: status, fields: fields, body: .bytes(body)),
            coding: coding,
            openField: ResponseBuilder.refreshAfter
        )
    }

    /// The fields of `200`.
    ///
    /// - Parameter links: The links of the page; `nil`: they are worked out.
    func syndicatedFields(
        _ read: SyndicationRead,
        _ tag: EntityTag,
        _ coding: ContentCoding,
        _ links: SyndicatedFeed.Links? = nil
    ) -> HTTPFields {
        var fields = syndicationFields(read, tag, coding)
        cors.addExposed(to: &fields)
        fields[.contentType] = read.format.mediaType
        if coding != .identity { fields[.contentEncoding] = coding.name }
        fields[.xContentTypeOptions] = "nosniff"
        fields[.link] = (links ?? read.links).next.map { "<\($0)>; rel=\"next\"" }
        return fields
    }

    /// Whether a date names a version, but not yet what the settings make of it.
    func isDateToCome(of version: Version) -> Bool {
        version.lastModified(at: polling.wallSeconds) != nil && lastModified(of: version) == nil
    }

    /// Returns the dates that a version's documents in these formats are compared by.
    func dates(of version: Version) -> Validators.Dates {
        guard version.hasDate else { return .none }
        return .exact(lastModified(of: version), latest: max(version.second, configuredSecond + 1))
    }

    /// Returns the Last-Modified of documents that depend on settings, too: those that were sent by
    /// other settings have an earlier date. `nil`: a date could not name them.
    private func lastModified(of version: Version) -> Int? {
        let now = polling.wallSeconds
        guard let modified = version.lastModified(at: now) else { return nil }
        if modified > configuredSecond { return modified }
        // Once nothing can be published any more that this date would name, too.
        return configuredSecond + 1 < now ? configuredSecond + 1 : nil
    }

    /// Returns the fields that a `200` and a `304` have in common.
    func syndicationFields(
        _ read: SyndicationRead,
        _ tag: EntityTag,
        _ coding: ContentCoding
    ) -> HTTPFields {
        let isOpen = access.isOpen(read.version.feed)
        var fields: HTTPFields = [.eTag: tag.text(coding)]
        fields[.cacheControl] = ResponseBuilder.cacheControl(read.version.snapshot, isOpen: isOpen)
        fields[.vary] = "Accept-Encoding, A-IM" + (isOpen ? "" : ", Authorization")
        let modified = lastModified(of: read.version)
        fields[.lastModified] = modified.map(ResponseBuilder.date)
        cors.addOrigin(to: &fields)
        return fields
    }
}
