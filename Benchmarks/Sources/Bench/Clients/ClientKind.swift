/// A program that reads feeds, with the fields that it sends.
enum ClientKind: CaseIterable {
    case browser
    case phone
    case curl

    /// Returns a random kind of client; half of all are browsers.
    static func random(using random: inout SplitMix64) -> ClientKind {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10: .browser
        case 10..<17: .phone
        default: .curl
        }
    }

    /// Returns the client's fields, without the fields for the kind of request.
    ///
    /// - Parameters:
    ///   - number: The client's number among its kind, for the fields that differ between two
    ///     clients.
    ///   - takesGzip: Whether clients that can take gzip say so.
    /// - Returns: The fields in the order that the client sends them in.
    func fields(_ number: Int, takesGzip: Bool) -> [(name: String, value: String)] {
        switch self {
        case .browser: ClientKind.browserFields(number, takesGzip ? "gzip, deflate, br, zstd" : nil)
        case .phone: ClientKind.phoneFields(number, takesGzip ? "gzip, deflate, br" : nil)
        case .curl: [("User-Agent", "curl/8.\(number % 12).0"), ("Accept", "*/*")]
        }
    }

    private static func browserFields(
        _ number: Int,
        _ coding: String?
    ) -> [(name: String, value: String)] {
        let version = 110 + number % 20
        let page = "https://app\(number % 50).example.org/reader/\(number)?session=\(number * 7919)"
        return [
            ("Connection", "keep-alive"),
            (
                "sec-ch-ua",
                "\"Chromium\";v=\"\(version)\", \"Not A(Brand\";v=\"24\", "
                    + "\"Google Chrome\";v=\"\(version)\""
            ),
            ("sec-ch-ua-mobile", "?0"),
            ("sec-ch-ua-platform", "\"macOS\""),
            (
                "User-Agent",
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like "
                    + "Gecko) Chrome/\(version).0.\(number % 7000).0 Safari/537.36"
            ),
            ("Accept", "application/json, text/plain, */*"),
            ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "cors"),
            ("Sec-Fetch-Dest", "empty"), ("Referer", page), ("Priority", "u=1, i"),
            ("Accept-Encoding", coding ?? "identity"),
            ("Accept-Language", "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7"),
            ("Cache-Control", "max-age=0"), ("DNT", "1"),
            ("Cookie", "consent=all; visitor=\(number * 104_729); theme=dark"),
        ]
    }

    private static func phoneFields(
        _ number: Int,
        _ coding: String?
    ) -> [(name: String, value: String)] {
        [
            ("Accept", "*/*"), ("Connection", "keep-alive"),
            ("User-Agent", "News/\(number % 900) CFNetwork/1498.700.2 Darwin/23.\(number % 7).0"),
            ("Accept-Language", "en-GB,en;q=0.9"), ("Accept-Encoding", coding ?? "identity"),
        ]
    }
}
