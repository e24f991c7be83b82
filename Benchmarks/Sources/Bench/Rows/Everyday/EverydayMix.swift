/// Makes requests for everyday feeds, as the many clients of a server send them.
struct EverydayMix {
    let feeds: EverydayFeeds
    let keys: ReaderKeys
    /// The number of different requests, apart from the number in each.
    let count: Int

    /// Returns requests of a kind, the same in every run and for every side.
    ///
    /// - Parameters:
    ///   - kind: The kind of the requests.
    ///   - fileTag: Returns the tag of a feed's file, for requests to a server of files.
    /// - Returns: As many requests as ``count`` says.
    func requests(
        _ kind: EverydayRequest,
        fileTag: ((EverydayFeeds.Known) -> String)? = nil
    ) -> [Request] {
        var random = SplitMix64(state: 20_261)
        let popularity = ZipfDistribution(feeds.all.count)
        return (0..<count).map { number in
            let client = ClientKind.random(using: &random)
            let (rank, other) = (
                popularity.random(using: &random), popularity.random(using: &random)
            )
            let feed = feeds.all[rank]
            // A request does not name the same feed twice.
            let next = feeds.all[rank == other ? (rank + 1) % feeds.all.count : other]
            var request = Request(
                target: kind.target(reader(feed, &random), reader(next, &random))
            )
            request.fields = client.fields(number, takesGzip: !kind.isPlain)
            if kind.connects && !kind.streams {
                request.fields.removeAll { $0.name == "Connection" }
                request.fields.append(("Connection", "close"))
            }
            let key = keys.all.randomElement(using: &random) ?? ""
            if kind.hasKey { request.fields.append(("Authorization", "Bearer \(key)")) }
            let origin = Int.random(in: 0..<50, using: &random)
            if kind.hasOrigin {
                request.fields.append(("Origin", "https://app\(origin).example.org"))
            }
            let tag = client == .curl || kind.isPlain ? feed.plainTag : feed.codedTag
            if kind.hasTag {
                request.fields.append(("If-None-Match", fileTag?(feed) ?? tag))
            }
            return request
        }
    }

    private func reader(
        _ feed: EverydayFeeds.Known,
        _ random: inout SplitMix64
    ) -> EverydayRequest.Reader {
        let version = Int.random(in: 1..<feeds.version, using: &random)
        return .init(name: feed.name, token: feed.token(version))
    }
}
