import FeedFormats
import HTTPClient
import HTTPTypes
import HTTPWire
import Platform

/// The cookies that the redirects of one fetch set (RFC 6265); they end with the fetch.
///
/// Some sites redirect in a circle until a request has the cookie that they set.
struct FetchCookies {
    private struct Cookie {
        var name: String
        var value: String
        /// The host that set the cookie, or the domain that it named.
        var domain: String
        /// Whether the cookie is sent to hosts below the domain, too.
        var includesSubdomains = false
        var path = "/"
        var isSecure = false
    }

    /// The most cookies of a fetch, and the most bytes of each (RFC 6265 §6.1).
    private static let countLimit = 20
    private static let byteLimit = 4096

    private var cookies: [Cookie] = []

    /// Takes the cookies that a response sets; `now` is in seconds since 1970.
    mutating func take(_ fields: HTTPFields, from address: String, now: Int) {
        for text in fields[values: .setCookie].prefix(FetchCookies.countLimit) {
            guard text.utf8.count <= FetchCookies.byteLimit else { continue }
            take(text, CookieTarget(address), now)
        }
    }

    /// Returns the value of the `Cookie` field of a request (RFC 6265 §5.4); `nil`: the request has
    /// none.
    func field(for address: String) -> String? {
        let target = CookieTarget(address)
        let sent = cookies.filter { cookie in
            target.isIn(cookie.domain, orBelow: cookie.includesSubdomains)
                && FetchCookies.matches(target.path, cookie.path)
                && (target.isSecure || !cookie.isSecure)
        }
        guard !sent.isEmpty else { return nil }
        return sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Takes the cookie of a `Set-Cookie` field (RFC 6265 §5.2, §5.3).
    private mutating func take(_ text: String, _ target: CookieTarget, _ now: Int) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = FetchCookies.pair(parts[0]), let value = pair.value, !pair.name.isEmpty
        else { return }
        var cookie = Cookie(
            name: pair.name,
            value: value,
            domain: target.host,
            path: FetchCookies.folder(of: target.path)
        )
        var (isOverByAge, isOverByDate): (Bool?, Bool?)
        for attribute in parts.dropFirst().compactMap(FetchCookies.pair) {
            let value = attribute.value ?? ""
            switch attribute.name.lowercased() {
            case "domain" where !value.isEmpty:
                let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                guard target.isIn(domain, orBelow: domain.contains(".")) else { return }
                (cookie.domain, cookie.includesSubdomains) = (domain, true)
            case "path" where value.hasPrefix("/"): cookie.path = value
            case "secure": cookie.isSecure = true
            case "max-age": isOverByAge = FetchCookies.isOver(age: value) ?? isOverByAge
            case "expires":
                let time = FeedDate(parsing: value)?.milliseconds
                isOverByDate = time.map { $0 / 1000 <= now } ?? isOverByDate
            default: break
            }
        }
        cookies.removeAll {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        // An age has precedence over a date, wherever it stands.
        let isOver = isOverByAge ?? isOverByDate ?? false
        if !isOver, cookies.count < FetchCookies.countLimit { cookies.append(cookie) }
    }

    /// Returns whether the value of `Max-Age` ends a cookie at once (RFC 6265 §5.2.2); `nil`: it is
    /// no number, and ignored.
    private static func isOver(age: String) -> Bool? {
        let isNegative = age.hasPrefix("-")
        let seconds = age.dropFirst(isNegative ? 1 : 0).utf8.span.wholeNumber
        return seconds.map { isNegative || $0 == 0 }
    }

    /// Returns a name and its value, without white space at their ends.
    private static func pair(_ text: Substring) -> (name: String, value: String?)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { part in
                String(
                    part.drop { $0 == " " || $0 == "\t" }.reversed()
                        .drop { $0 == " " || $0 == "\t" }.reversed()
                )
            }
        return parts.first.map { ($0, parts.count > 1 ? parts[1] : nil) }
    }

    /// Returns the path of a cookie that names none (RFC 6265 §5.1.4).
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Returns whether the path of a request matches the path of a cookie (RFC 6265 §5.1.4).
    private static func matches(_ path: String, _ folder: String) -> Bool {
        guard path.hasPrefix(folder) else { return false }
        return path.count == folder.count || folder.hasSuffix("/")
            || path.dropFirst(folder.count).hasPrefix("/")
    }
}

/// The parts of a request's address that cookies depend on.
private struct CookieTarget {
    let host: String
    let path: String
    let isSecure: Bool

    init(_ address: String) {
        host = URLHost.host(of: address)
        isSecure = WebAddress.scheme(of: address) == "https"
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let rest = address[start...].prefix { $0 != "?" && $0 != "#" }
        path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    /// Returns whether the host is in a domain; an IP address is in no domain but itself (RFC 6265
    /// §5.1.3).
    func isIn(_ domain: String, orBelow isBelow: Bool) -> Bool {
        if host == domain { return true }
        return isBelow && host.hasSuffix("." + domain) && IPAddress(named: host) == nil
    }
}
