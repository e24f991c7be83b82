import FeedModel
import TestSupport

extension ProtocolDocument {
    /// Takes pages apart: their paths, and their texts.
    ///
    /// - Throws: ``Fault`` for a block that no test would try: JSON or events without a request, a
    ///   request without a response, an unknown language or mark.
    init(parsing pages: [(path: String, text: String)]) throws {
        var reader = Reader()
        for (path, text) in pages {
            reader.page = path
            try ProtocolDocument.read(text, by: &reader)
            try reader.end()
        }
        self = reader.document
    }

    private static func read(_ text: String, by reader: inout Reader) throws {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        var lines = all[...]
        while let line = lines.popFirst() {
            reader.line = lines.startIndex
            if line.hasPrefix("# ") || line.hasPrefix("## ") {
                try reader.beginChapter(line.drop { $0 == "#" || $0 == " " })
            } else if line.hasPrefix("<!-- ") {
                try reader.addMark(line)
            } else if line.hasPrefix("```") {
                let content = lines.prefix { $0 != "```" }
                lines = lines[content.endIndex...].dropFirst()
                try reader.addBlock(line.dropFirst(3), content.joined(separator: "\n"))
            }
        }
    }
}

private struct Reader {
    var document = ProtocolDocument()
    var page = ""
    var line = 0
    private var place: String { "\(page):\(line)" }
    /// What comments say of the next block.
    private var marks: [Substring: String] = [:]
    /// The request that has no response yet.
    private var request: ProtocolDocument.Request?

    mutating func beginChapter(_ title: Substring) throws {
        try end()
        document.chapters.append(.init(title: String(title)))
    }

    func end() throws {
        guard request == nil else { throw fault("the request before has no response") }
        guard marks.isEmpty else { throw fault("the marks before have no block") }
    }

    mutating func addMark(_ text: Substring) throws {
        let parts = text.dropFirst(5).dropLast(4).split(separator: ": ", maxSplits: 1)
        guard text.hasSuffix(" -->"), parts.count == 2 else { throw fault("not a mark") }
        let value = String(parts[1])
        switch parts[0] {
        case "given": try addPreparation(value)
        case "status", "state", "changes", "order": marks[parts[0]] = value
        default: throw fault("unknown mark \(parts[0])")
        }
    }

    private mutating func addPreparation(_ text: String) throws {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        if parts.count == 2, let version = Int(parts[1]) {
            try add(.publish(feed: parts[0], version: version))
        } else if parts.count == 3 {
            try add(.prepare(.init(method: parts[0], target: parts[1], body: parts[2])))
        } else {
            throw fault("neither a state nor a request")
        }
    }

    mutating func addBlock(_ language: Substring, _ text: String) throws {
        switch language {
        case "sh": break
        case "http" where text.hasPrefix("HTTP/1.1 "): try addHead(text)
        case "http": try addRequest(text)
        case "json": try addDocument(text)
        case "text" where marks["order"] != nil:
            let check = marks.removeValue(forKey: "order") ?? ""
            document.orderChecks.append(.init(place: place, check: check, text: text + "\n"))
        case "text": try addEvents(text)
        default: throw fault("no test knows what to do with \"\(language)\"")
        }
        guard marks.isEmpty else { throw fault("marks of another kind of block") }
    }

    private mutating func addRequest(_ text: String) throws {
        guard request == nil else { throw fault("the request before has no response") }
        guard let request = ProtocolDocument.Request(parsing: text) else {
            throw fault("not a request")
        }
        try add(.send(request))
        self.request = request
    }

    private mutating func addHead(_ text: String) throws {
        try takeRequest(isStream: false)
        var lines = text.split(separator: "\n")[...]
        let fields = lines.dropFirst().compactMap(ProtocolDocument.Field.init(parsing:))
        let start = (lines.popFirst() ?? "").split(separator: " ")
        guard start.count > 1, let status = Int(start[1]), fields.count == lines.count else {
            throw fault("not the head of a response")
        }
        try add(.head(status: status, fields: fields))
    }

    private mutating func addDocument(_ text: String) throws {
        try takeRequest(isStream: false)
        guard let json = TestJSON(text) else { throw fault("not JSON") }
        for name in ["state", "changes"] {
            if let value = marks.removeValue(forKey: name[...]) {
                document.documents["\(name) \(value)"] = text
            }
        }
        try addEpochs(of: json)
        try add(.document(json, status: marks.removeValue(forKey: "status").flatMap { Int($0) }))
    }

    private mutating func addEvents(_ text: String) throws {
        try takeRequest(isStream: true)
        let events = ProtocolDocument.ServerEvent.list(in: text + "\n")
        guard !events.isEmpty else { throw fault("no events") }
        for event in events { try addEpochs(of: event.data) }
        try add(.events(events))
    }

    /// Notes of which incarnation the documents of a feed are, which is one in all pages.
    private mutating func addEpochs(of json: TestJSON) throws {
        if let feed = json["feed"]?.string, let token = json["token"]?.string.flatMap(Token.init) {
            let known = document.epochs.updateValue(token.epoch, forKey: feed)
            guard known ?? token.epoch == token.epoch else {
                throw fault("the feed \(feed) has two epochs")
            }
        }
        for part in Array(json.members.values) + json.list { try addEpochs(of: part) }
    }

    private mutating func takeRequest(isStream: Bool) throws {
        guard let request, request.isStream == isStream else {
            throw fault("no request that this could answer")
        }
        self.request = nil
    }

    private mutating func add(_ action: ProtocolDocument.Action) throws {
        guard !document.chapters.isEmpty else { throw fault("before the first chapter") }
        let step = ProtocolDocument.Step(place: place, action: action)
        document.chapters[document.chapters.count - 1].steps.append(step)
    }

    private func fault(_ reason: String) -> ProtocolDocument.Fault {
        .init(place: place, reason: reason)
    }
}
