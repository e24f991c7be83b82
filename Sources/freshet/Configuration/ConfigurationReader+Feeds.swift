import FeedDiff
import FeedFormats
import FeedModel
import FeedSources
import FeedStore
import Yams

/// Reads `feeds`: feeds that the server fetches or derives, and rules for feeds by name or pattern.
extension ConfigurationReader {
    /// The settings of a source.
    private enum Name {
        static let address = Setting<String>(
            "source",
            "an address of http or https, or settings",
            mayBeSecret: true,
            read: page
        )
        static let url = Setting<String>(
            "url",
            "an address of http or https",
            mayBeSecret: true,
            read: page
        )
        static let file = Setting<String>.text("file")
        static let every = Setting<Duration>.duration(
            "every",
            .seconds(1) ... .seconds(30 * 86_400)
        )
        static let keep = Setting<SourceKeeping>(
            "keep",
            "a number of items (200) or a time (30d, 12h)",
            read: ConfigurationReader.keeping
        )
        static let title = Setting<String>.text("title")
        static let allowPrivate = Setting<Bool>.flag("allow-private")
        static let privateHub = Setting<String>(
            "private-hub",
            "an address of http or https",
            mayBeSecret: true,
            read: address
        )
        static let allowDowngrade = Setting<Bool>.flag("allow-downgrade")
        static let proxy = Setting<String>(
            "proxy",
            "an address such as http://proxy.example.org:3128",
            mayBeSecret: true,
            read: address
        )
        static let authorities = Setting<String>.text("cacert")
        static let webSub = Setting<Bool>.flag("websub")
        static let sanitize = Setting<Bool>.flag("sanitize")
        static let sizeLimit = Setting<Int>.byteCount("size-limit", 1024...(1 << 30))
        static let items = Setting<JSONPointer>("items", "a JSON Pointer such as /data/list") {
            JSONPointer($0)
        }

        /// Returns the text if it is the address of a source; it may have spaces after the host,
        /// which are escaped in requests.
        private static func page(_ text: String) -> String? {
            let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
            let host = text[start...].prefix { !"/?#".contains($0) }
            return address(text.replacing(" ", with: "%20")).flatMap { _ in
                host.contains(" ") ? nil : text
            }
        }

        /// Returns the text if it is an address of http or https without spaces.
        private static func address(_ text: String) -> String? {
            WebAddress.isWeb(text) && WebAddress.hasHostAndPort(text) && !text.contains(" ")
                ? text : nil
        }

        /// The names of all settings of a source.
        static let all = [
            url.name, file.name, every.name, keep.name, title.name, allowPrivate.name,
            privateHub.name, allowDowngrade.name, webSub.name, sanitize.name, sizeLimit.name,
            items.name, "members",
            "headers", "headers-file", proxy.name, authorities.name, "where",
        ]
    }

    /// The settings of feeds by name or pattern.
    private enum RuleName {
        static let removals = Setting<RemovalGuard>(
            "guard",
            "a share of a feed's items, from 1% to 100%, or a number of items"
        ) { text in
            let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
            guard let number = Int(digits: digits.utf8) else { return nil }
            guard text.hasSuffix("%") else { return .count(number) }
            return 1...100 ~= number ? .percent(number) : nil
        }

        static let keepVersions = Setting<Retention>(
            "keep-versions",
            "a number of versions from 1 to 10000 (100) or a time (30d, 12h)"
        ) { text in
            switch ConfigurationReader.keeping(text) {
            case .count(let count) where count <= Retention.countLimit: .count(count)
            case .age(let seconds): .age(Double(seconds))
            case .count, .nothing, nil: nil
            }
        }
    }

    /// Reads a number of items or versions (`200`), or a time in days or hours (`30d`, `12h`).
    static func keeping(_ text: String) -> SourceKeeping? {
        if let count = Int(digits: text.utf8), 1...1_000_000 ~= count { return .count(count) }
        let units: [Character: Int] = ["d": 86_400, "h": 3600]
        guard let unit = text.last.flatMap({ units[$0] }),
            let count = Int(digits: text.dropLast().utf8), 1...100_000 ~= count
        else { return nil }
        return .age(count * unit)
    }

    /// Reads the setting `feeds`.
    mutating func readFeeds(_ node: Node) {
        guard let feeds = pairs(node, "feeds", of: "feeds, each as \"name: …\"") else { return }
        for (key, name, value) in feeds {
            let path = member("feeds", name)
            guard let pattern = FeedPattern(name), pattern.canName else {
                let reason = FeedName.refusal(of: name) ?? "is no feed's name"
                report(key.mark, path, reason)
                continue
            }
            let known = [
                "source", "derive", RuleName.removals.name, RuleName.keepVersions.name,
            ]
            guard let entries = entries(value, path, known: known) else { continue }
            if entries.isEmpty {
                report(value.mark, path, "has none of " + known.joined(separator: ", "))
            }
            if let rule = self.value(RuleName.removals, entries, in: path) {
                file.settings.contents.guards.add(rule, for: pattern)
            }
            if let rule = self.value(RuleName.keepVersions, entries, in: path) {
                file.settings.contents.retention.add(rule, for: pattern)
            }
            readContent(entries, path, FeedName(name))
        }
        checkCycles(node)
    }

    /// Reads the source or the derivation of a feed, if there is one; `feed` is `nil` for a
    /// pattern.
    private mutating func readContent(_ entries: Entries, _ path: String, _ feed: FeedName?) {
        let (source, derive) = (entries["source"], entries["derive"])
        guard let node = derive ?? source else { return }
        guard let feed else {
            return report(node.mark, path, "a pattern has neither a source nor derive")
        }
        if let source, derive == nil {
            readSource(source, member(path, "source"), feed)
        } else if let derive, source == nil {
            readDerivation(derive, member(path, "derive"), feed)
        } else {
            report(node.mark, path, "has a source and derive, of which it can have one")
        }
    }

    /// Reads a source: an address alone, or settings.
    private mutating func readSource(_ node: Node, _ path: String, _ feed: FeedName) {
        if node.scalar != nil {
            guard let url = value(Name.address, node, path) else { return }
            file.settings.contents.sources.append(SourceSettings(feed: feed, location: .web(url)))
            return
        }
        guard let entries = entries(node, path, known: Name.all) else { return }
        let url = value(Name.url, entries, in: path)
        let filePath = value(Name.file, entries, in: path)
        let hasURL = entries["url"] != nil
        guard hasURL != (entries["file"] != nil) else {
            let reason =
                hasURL ? "has url and file, of which it can have one" : "needs one of url and file"
            return report(node.mark, path, reason)
        }
        var location = url.map { SourceSettings.Location.web($0) }
        if let filePath { location = fileLocation(filePath, entries["file"]?.mark, path) }
        var source = SourceSettings(feed: feed, location: location ?? .file(""))
        source.folder = file.settings.sourceFolder
        source.every = value(Name.every, entries, in: path)
        source.keeping = value(Name.keep, entries, in: path) ?? .nothing
        source.title = value(Name.title, entries, in: path)
        source.allowsPrivate = value(Name.allowPrivate, entries, in: path) ?? false
        source.privateHub = value(Name.privateHub, entries, in: path)
        source.allowsDowngrade = value(Name.allowDowngrade, entries, in: path) ?? false
        source.isSubscribing = value(Name.webSub, entries, in: path) ?? true
        source.isSanitizing = value(Name.sanitize, entries, in: path) ?? true
        source.byteLimit = value(Name.sizeLimit, entries, in: path) ?? source.byteLimit
        source.proxy = value(Name.proxy, entries, in: path)
        source.authorities = authorities(entries, path)
        if let node = entries["headers"] { source.fields = headers(node, member(path, "headers")) }
        for field in fileHeaders(entries, path) { source.fields.append(field) }
        if !source.fields.isEmpty, entries["headers"] != nil { file.hasSecrets = true }
        source.condition = entries["where"].flatMap { condition($0, member(path, "where")) }
        source.mapping = mapping(entries, path, node.mark)
        if location != nil { file.settings.contents.sources.append(source) }
    }

    /// Reads `cacert`, the path of a file of certificates, and checks the file.
    ///
    /// Each connection reads the file again.
    private mutating func authorities(_ entries: Entries, _ path: String) -> String? {
        guard let name = value(Name.authorities, entries, in: path) else { return nil }
        do throws(FileContents.Failure) {
            try FileContents.checkCertificates(name)
        } catch {
            let mark = entries[Name.authorities.name]?.mark
            let place = member(path, Name.authorities.name)
            report(mark, place, "cannot be used: \(name): \(error.reason)")
        }
        return name
    }

    /// Returns the location of a file in `source-folder`, by its path in that folder; `nil` for a
    /// file elsewhere or a hidden file, which is reported.
    private mutating func fileLocation(
        _ text: String,
        _ mark: Mark?,
        _ path: String
    ) -> SourceSettings.Location? {
        let path = member(path, Name.file.name)
        guard let folder = file.settings.sourceFolder else {
            report(mark, path, "needs source-folder, the folder that such files are in")
            return nil
        }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        let inner = text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
        let names = inner.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
            report(mark, path, "must be a file in \(folder), not hidden and without \"..\"")
            return nil
        }
        return .file(inner)
    }

    /// Reads `items` and `members`, which map a source's JSON to items of the feed.
    private mutating func mapping(_ entries: Entries, _ path: String, _ mark: Mark?) -> JSONMapping?
    {
        // An empty pointer means the whole document. It must be quoted: a setting without a value
        // is a mistake.
        let isWhole = entries["items"]?.scalar.map {
            $0.string.isEmpty && $0.style != .plain && $0.style != .any
        }
        let items =
            isWhole == true ? JSONPointer("") : value(Name.items, entries, in: path)
        guard let node = entries["members"] else {
            if entries["items"] != nil { report(mark, path, "items needs members, too") }
            return nil
        }
        let path = member(path, "members")
        guard let members = pairs(node, path, of: "members, each as \"name: /pointer\"") else {
            return nil
        }
        var pointers: [String: JSONPointer] = [:]
        for (_, name, value) in members {
            let setting = Setting<JSONPointer>(name, "a JSON Pointer such as /title") {
                JSONPointer($0)
            }
            pointers[name] = self.value(setting, value, member(path, name))
        }
        if pointers["id"] == nil, pointers["url"] == nil, pointers["title"] == nil {
            report(node.mark, path, "needs one of id, url and title, to tell items apart")
        }
        guard let items = items ?? JSONPointer("") else { return nil }
        return JSONMapping(items: items, members: pointers)
    }
}
