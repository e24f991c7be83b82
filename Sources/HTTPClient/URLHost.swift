import CCurl

/// Reads and compares the hosts of URLs, which libcurl parses.
package enum URLHost {
    /// Returns the host in lower case, without brackets or port; empty: there is none.
    package static func host(of url: String) -> String {
        var host = part(CURLUPART_HOST, of: url).lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return host
    }

    /// Returns whether two addresses have the same host and port, or the second has `https` for the
    /// first's `http`, both at the usual ports.
    package static func isSameServer(_ url: String, _ other: String) -> Bool {
        guard isSameHost(url, other) else { return false }
        let ports = [port(of: url), port(of: other)]
        return ports[0] == ports[1] || ports == ["80", "443"]
    }

    /// Returns whether two addresses have the same scheme, host and port (RFC 6454 §4).
    package static func isSameOrigin(_ url: String, _ other: String) -> Bool {
        isSameHost(url, other) && scheme(of: url) == scheme(of: other)
            && port(of: url) == port(of: other)
    }

    private static func isSameHost(_ url: String, _ other: String) -> Bool {
        let host = host(of: url)
        return !host.isEmpty && host == self.host(of: other)
    }

    /// Returns whether the text is an address of `http` or `https` with a host.
    package static func isWeb(_ url: String) -> Bool {
        ["http", "https"].contains(scheme(of: url))
    }

    private static func scheme(of url: String) -> String {
        part(CURLUPART_SCHEME, of: url).lowercased()
    }

    private static func port(of url: String) -> String {
        part(CURLUPART_PORT, of: url, CURLU_DEFAULT_PORT)
    }

    private static func part(_ which: CURLUPart, of url: String, _ flags: CInt = 0) -> String {
        guard let handle = curl_url() else { return "" }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK else { return "" }
        var part: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, which, &part, CUnsignedInt(flags)) == CURLUE_OK, let part else {
            return ""
        }
        defer { curl_free(part) }
        return String(cString: part)
    }
}
