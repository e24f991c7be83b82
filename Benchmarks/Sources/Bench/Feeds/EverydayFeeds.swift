import Foundation

/// Many small feeds with a history, as a server of many apps has them.
struct EverydayFeeds {
    /// A feed, as its readers know it.
    struct Known {
        let name: String
        let epoch: String
        /// The tags of the current version, for clients that take gzip and for others.
        let codedTag: String
        let plainTag: String

        func token(_ version: Int) -> String { "\(epoch).\(version)" }
    }

    /// The feeds, with the one that is read most first.
    let all: [Known]
    /// The number of the current version; past versions have lower ones.
    let version: Int

    /// Publishes the feeds.
    ///
    /// - Parameters:
    ///   - server: The server to publish on.
    ///   - count: The number of feeds.
    ///   - pastVersions: The number of versions that each feed has before the current one.
    /// - Throws: ``Failure`` when the server does not have all versions in the end.
    init(on server: Server, _ count: Int, pastVersions: Int) throws {
        version = pastVersions + 1
        let names = (0..<count).map { "everyday-\($0)" }
        let whole = names.map { Server.publish("PUT", $0, EverydayFeeds.document($0)) }
        try RequestMix(whole).sendEach(to: server)
        for change in 0..<pastVersions {
            let requests = names.map { Server.publish("PATCH", $0, EverydayFeeds.edit(change)) }
            try RequestMix(requests).sendEach(to: server)
        }
        all = try names.map { name in
            let request = Request(target: "/feeds/\(name)").with("Accept-Encoding", "gzip")
            let tag = try server.exchange(request)["ETag"] ?? ""
            let token = tag.dropFirst().prefix { $0 != "\"" && $0 != "-" }
            guard token.hasSuffix(".\(pastVersions + 1)") else {
                throw Failure("\(name) is at \(tag), not at version \(pastVersions + 1)")
            }
            return Known(
                name: name,
                epoch: String(token.prefix { $0 != "." }),
                codedTag: tag,
                plainTag: "\"\(token)\""
            )
        }
    }

    private static func document(_ name: String) -> [UInt8] {
        let items = (0..<8).map { number in
            #"{"id":"i\#(number)","title":"An item of \#(name), the one with number \#(number)","#
                + #""state":-1}"#
        }
        return Array(#"{"title":"Feed \#(name)","items":[\#(items.joined(separator: ","))]}"#.utf8)
    }

    /// Returns a change that makes a new version, unless it is sent twice in a row.
    static func edit(_ number: Int) -> [UInt8] {
        Array(#"{"edits":[{"set":{"state":\#(number)},"item":"i\#(number % 8)"}]}"#.utf8)
    }
}
