import FeedFormats
package import HTTPClient

/// Finds the feeds of a web page or site.
package enum SourceDiscovery {
    /// The paths where sites have feeds that their pages do not name.
    private static let usualPaths = [
        "/feed", "/feed.xml", "/rss", "/rss.xml", "/atom.xml", "/index.xml", "/feed.json",
        "/blog/feed", "/blog/feed.xml", "/blog/rss.xml", "/blog/atom.xml", "/blog/index.xml",
    ]

    /// The most feeds that are taken of an OPML list that a page names.
    private static let listLimit = 100

    /// Fetches a page, and the feeds that it names.
    ///
    /// A page that is a feed is the only result. Otherwise, the feeds are all that the page, its
    /// OPML lists or its `Link` fields name; if none of these can be read, the feeds among the
    /// pages that it links to, and then the feeds at the usual paths.
    ///
    /// - Parameters:
    ///   - settings: The page's address, and how it is fetched.
    ///   - now: Seconds since 1970.
    /// - Returns: The feeds that can be read, in the order of the page.
    /// - Throws: ``SourceFailure`` when the page cannot be fetched.
    package static func feeds(
        _ settings: SourceSettings,
        _ client: HTTPClient,
        now: Int
    ) async throws(SourceFailure) -> [SourcePreview] {
        let page = try await SourcePreview.document(settings, client, now: now)
        if let own = try? SourcePreview.read(page, settings, now: now) { return [own] }
        var named = PageLinks(page.content.bytes, address: page.address, charset: page.charset)
        // The page's own links come first.
        named.feeds += page.links?.feeds ?? []
        for list in named.lists.prefix(3) {
            var settings = settings
            settings.location = .web(list)
            guard let list = try? await SourcePreview.document(settings, client, now: now),
                let outlines = try? OPMLDocument(parsing: list.content.bytes).outlines
            else { continue }
            named.feeds += outlines.prefix(listLimit)
                .map { WebAddress.resolve(WebAddress.withWebScheme($0.url), base: list.address) }
        }
        let usual = usualPaths.map { WebAddress.resolve($0, base: page.address) }
        for addresses in [named.feeds, named.pages, usual] {
            let found = await previews(addresses, settings, client, now: now)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Fetches addresses, and returns those that are feeds; a feed with several addresses is
    /// returned once.
    private static func previews(
        _ addresses: [String],
        _ settings: SourceSettings,
        _ client: HTTPClient,
        now: Int
    ) async -> [SourcePreview] {
        var found: [SourcePreview] = []
        var seen: Set<String> = []
        for address in addresses where WebAddress.isWeb(address) {
            guard seen.insert(address).inserted else { continue }
            var settings = settings
            settings.location = .web(address)
            guard let preview = try? await SourcePreview.fetch(settings, client, now: now),
                preview.address == address || seen.insert(preview.address).inserted
            else { continue }
            found.append(preview)
        }
        return found
    }
}
