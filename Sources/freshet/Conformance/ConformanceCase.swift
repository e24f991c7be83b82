import FeedModel
import Foundation

/// A transcript of requests, and the answers that a server has to give
/// (docs/conformance/README.md).
struct ConformanceCase: Sendable {
    /// A sentence of the protocol's page, and the heading that it stands below.
    struct Citation: Sendable, Equatable {
        let heading: String
        let quote: String
    }

    /// The file's name, a colon, and the case's own name.
    let name: String
    let citations: [Citation]
    /// The names that the case has for its feeds.
    let feeds: [String]
    let steps: [ConformanceStep]
}

extension ConformanceCase {
    /// Returns the cases of all files of a folder, in the order of their names.
    ///
    /// - Throws: ``CommandFailure`` for a folder without cases, and for a file without any.
    static func load(_ folder: URL) throws(CommandFailure) -> [ConformanceCase] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw .usage("no cases in \(folder.path): \(error.localizedDescription)")
        }
        var cases: [ConformanceCase] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            let file = folder.appendingPathComponent(name)
            guard let bytes = FileManager.default.contents(atPath: file.path) else {
                throw .usage("\(file.path) cannot be read")
            }
            do {
                cases += try read(Array(bytes), file: String(name.dropLast(".json".count)))
            } catch {
                throw .usage("\(file.path): \(error.reason)")
            }
        }
        guard !cases.isEmpty else { throw .usage("no cases in \(folder.path)") }
        return cases
    }

    /// Returns the cases of one file.
    ///
    /// - Parameters:
    ///   - bytes: The file's JSON.
    ///   - file: The file's name, with which the names of its cases begin.
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

/// A condition that did not hold, in words.
struct CaseFailure: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
