import FeedModel
import Foundation

/// A received response, and its meaning by the protocol.
struct FeedResult {
    let status: Int
    /// The value of Content-Type.
    let mediaType: String?
    let body: [UInt8]
    /// The time to wait by Retry-After.
    var retryAfter: Duration?
    /// The time to wait by Refresh-After.
    var refreshAfter: Duration?
    /// The value of ETag.
    var tag: String?
    /// The time at which the request was sent.
    var requested: ContinuousClock.Instant?
    /// Whether the request had a key and the response depends on it; `nil`: unknown.
    var isPrivate: Bool?

    /// Returns the body of a successful response, which must have the expected media type.
    ///
    /// - Throws: ``FeedServiceError/problem(status:type:detail:)`` for a refusal, and
    ///   ``FeedServiceError/unexpected(_:)`` for a response that is not from a feed server.
    func document(_ expected: String) throws(FeedServiceError) -> [UInt8] {
        guard 200..<300 ~= status else { throw refusal }
        guard essence == expected else {
            let type = essence ?? (body.isEmpty ? "no body" : "a body without a type")
            throw .unexpected(
                "no feed server answers there (\(status) with \(type) instead of \(expected))"
            )
        }
        return body
    }

    /// Returns the result of a publish.
    func published() throws(FeedServiceError) -> PublishResult {
        let document = try document("application/json")
        do {
            return try JSONDecoder().decode(PublishResult.self, from: Data(document))
        } catch {
            throw .unexpected("no feed server answers there (\(status) with another document)")
        }
    }

    /// Returns the document of one feed.
    ///
    /// A `404` becomes a document which says that the feed is missing.
    func served(_ feed: FeedName) throws -> ServedDocument {
        if status == 404, case .problem = refusal { return .missing(feed) }
        return noted(try read { try ServedDocument(parsing: $0) })
    }

    /// Returns the documents of several feeds.
    func pulled() throws -> [ServedDocument] {
        try read { try ServedDocument.pulled(parsing: $0) }.map(noted)
    }

    /// Returns the document with the time of the request, and whether it depends on a key.
    func noted(_ document: ServedDocument) -> ServedDocument {
        var document = document
        document.requested = requested
        document.isPrivate = isPrivate
        return document
    }

    private func read<Result>(_ parse: ([UInt8]) throws -> Result) throws -> Result {
        let document = try document("application/json")
        do {
            return try parse(document)
        } catch let error as DocumentError {
            throw FeedServiceError.unexpected(
                "the server's answer cannot be read (\(error.path) \(error.reason))"
            )
        }
    }

    /// The media type without its parameters, in lower case.
    var essence: String? {
        mediaType?.split(separator: ";", omittingEmptySubsequences: false).first
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    /// The error that a response without success stands for.
    var refusal: FeedServiceError {
        guard essence == "application/problem+json",
            let problem = try? JSONDecoder().decode(Problem.self, from: Data(body))
        else {
            let words =
                isRefusedForNow || status == 408
                ? "the server cannot answer now" : "no feed server answers there"
            return .unexpected("\(words) (\(status)\(line.map { ": \($0)" } ?? ""))")
        }
        return .problem(
            status: status,
            type: problem.type ?? "about:blank",
            detail: (problem.detail ?? problem.title ?? "refused") + problem.position
        )
    }

    /// The first line of a plain text, such as a TLS server's answer to a request without TLS;
    /// `nil`: none.
    private var line: String? {
        guard essence == "text/plain" else { return nil }
        let text = String(decoding: body.prefix(400), as: UTF8.self)
        let line = text.prefix { !$0.isNewline }.prefix(200)
            .filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
        return line.isEmpty ? nil : line
    }

    /// The members of a problem document (RFC 9457 §3.1) that are read.
    private struct Problem: Decodable {
        let type: String?
        let title: String?
        let detail: String?
        /// The position of the fault in the request's body (docs/PROTOCOL.md, "Errors").
        let pointer: String?
        let offset: Int?
        let line: Int?

        /// The position in words; empty: unknown, or named by `detail` already.
        var position: String {
            // A detail that names the position already needs no other.
            guard let line, let offset, detail?.contains("at byte") != true else { return "" }
            let value = pointer.flatMap { $0.isEmpty ? nil : ", at \($0)" } ?? ""
            return " (line \(line), byte \(offset)\(value))"
        }
    }
}
