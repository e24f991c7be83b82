import FeedModel
package import Foundation

/// A test of the protocol: requests, and the responses that every server must give
/// (docs/conformance/README.md).
package struct ConformanceCase: Sendable {
    /// A quoted sentence of the protocol's documentation, and the heading above it.
    struct Citation: Sendable, Equatable {
        let heading: String
        let quote: String
    }

    /// The case's full name: the file's name, a colon, and the name within the file.
    package let name: String
    let citations: [Citation]
    /// The variables for the names of the case's feeds; the names themselves are random.
    let feeds: [String]
    let steps: [ConformanceStep]
}

extension ConformanceCase {
    /// Returns the cases of all JSON files in a folder, in the order of the files' names.
    ///
    /// - Throws: ``CaseFailure`` if the folder has no cases, or a file cannot be read or has none.
    package static func load(_ folder: URL) throws(CaseFailure) -> [ConformanceCase] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw CaseFailure("no cases in \(folder.path): \(error.localizedDescription)")
        }
        var cases: [ConformanceCase] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            let file = folder.appendingPathComponent(name)
            guard let bytes = FileManager.default.contents(atPath: file.path) else {
                throw CaseFailure("\(file.path) cannot be read")
            }
            do {
                cases += try read(Array(bytes), file: String(name.dropLast(".json".count)))
            } catch {
                throw CaseFailure("\(file.path): \(error.reason)")
            }
        }
        guard !cases.isEmpty else { throw CaseFailure("no cases in \(folder.path)") }
        return cases
    }

    /// Returns the cases of one file, whose name without `.json` is the first part of their names.
    static func read(_ bytes: [UInt8], file: String) throws(CaseFailure) -> [ConformanceCase] {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw CaseFailure(error.path.isEmpty ? error.reason : "\(error.path): \(error.reason)")
        }
        guard let cases = document["cases"]?.elements else { throw CaseFailure("no cases") }
        var read: [ConformanceCase] = []
        for value in cases { read.append(try ConformanceCase(value, file: file)) }
        return read
    }

    private init(_ value: JSONValue, file: String) throws(CaseFailure) {
        guard let name = value["name"]?.string, let steps = value["steps"]?.elements else {
            throw CaseFailure("a case without name and steps")
        }
        self.name = "\(file): \(name)"
        feeds = (value["feeds"]?.elements ?? []).compactMap(\.string)
        citations = (value["cites"]?.elements ?? []).compactMap { cite in
            guard let heading = cite["heading"]?.string, let quote = cite["quote"]?.string else {
                return nil
            }
            return Citation(heading: heading, quote: quote)
        }
        var read: [ConformanceStep] = []
        for (index, step) in steps.enumerated() {
            guard let step = ConformanceStep(step) else {
                throw CaseFailure("\(name): step \(index) is none that this command knows")
            }
            read.append(step)
        }
        self.steps = read
    }
}

/// The reason why a case failed or cannot be run.
package struct CaseFailure: Error, Equatable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A step of a case (docs/conformance/README.md, "Transcripts").
enum ConformanceStep: Sendable {
    /// Sends a request, and checks the response.
    case exchange(CaseRequest, CaseExpectation)
    /// Sends a request under a name, and goes on without its response.
    case start(String, CaseRequest)
    /// Awaits and checks the response to a started request.
    case awaited(String, CaseExpectation)
    /// Opens an event stream under a name, and checks the head of the response.
    case open(String, CaseRequest, CaseExpectation)
    /// Reads the next event of a stream, and checks it; the copies take its document.
    case next(String, JSONValue, copies: [JSONValue.Entry])
    /// Closes a stream.
    case close(String)
    /// Checks the content of a copy, given by its name.
    case holds(String, JSONValue)

    /// Parses a step; `nil`: the kind is unknown.
    init?(_ value: JSONValue) {
        let request = value["request"].flatMap { CaseRequest($0) }
        let expected = value["expect"] ?? .object([])
        let copies = value["copy"]?.entries ?? []
        let expectation = CaseExpectation(answer: expected, copies: copies)
        if let name = value["open"]?.string, let request {
            self = .open(name, request, expectation)
        } else if let name = value["next"]?.string {
            self = .next(name, expected, copies: copies)
        } else if let name = value["close"]?.string {
            self = .close(name)
        } else if let name = value["start"]?.string, let request {
            self = .start(name, request)
        } else if let name = value["await"]?.string {
            self = .awaited(name, expectation)
        } else if let request {
            self = .exchange(request, expectation)
        } else if let name = value["copy"]?.string, let held = value["holds"] {
            self = .holds(name, held)
        } else {
            return nil
        }
    }

    /// The request that the step sends; `nil`: none.
    var request: CaseRequest? {
        switch self {
        case .exchange(let request, _), .start(_, let request), .open(_, let request, _): request
        case .awaited, .next, .close, .holds: nil
        }
    }
}

/// The expected response of a step.
struct CaseExpectation: Sendable {
    let answer: JSONValue
    /// The names of the copies that take the response's document.
    ///
    /// The value is the feed whose part of a pull is taken, or `null` for the whole document.
    let copies: [JSONValue.Entry]
}

/// The request of a step.
///
/// Its texts may have variables (``CaseNames``).
struct CaseRequest: Sendable {
    enum Content: Sendable {
        case json(JSONValue)
        case text(String)
        case base64(String)
    }

    enum Key: Sendable {
        /// The bearer key that was given to the run.
        case own
        case none
        case other(String)
    }

    let method: String
    let path: String
    let fields: [(name: String, value: String)]
    let content: Content?
    let isGzip: Bool
    let key: Key

    /// Parses a request; `nil`: it has no path.
    init?(_ value: JSONValue) {
        guard let path = value["path"]?.string else { return nil }
        self.path = path
        method = value["method"]?.string ?? "GET"
        fields = (value["fields"]?.entries ?? []).flatMap { entry in
            (entry.value.elements ?? [entry.value]).compactMap { line in
                line.string.map { (entry.name.string, $0) }
            }
        }
        if let json = value["json"] {
            content = .json(json)
        } else if let text = value["text"]?.string {
            content = .text(text)
        } else {
            content = value["base64"]?.string.map { .base64($0) }
        }
        isGzip = value["gzip"]?.isTrue ?? false
        switch value["key"] {
        case .string(let key)?: self.key = .other(key.string)
        case .bool(let isSent)?: key = isSent ? .own : .none
        default: key = CaseRequest.safeMethods.contains(method) ? .none : .own
        }
    }

    /// The methods that change nothing (RFC 9110 §9.2.1).
    static let safeMethods: Set = ["GET", "HEAD", "OPTIONS"]
}
