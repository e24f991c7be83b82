import HTTPServer
import HTTPWire

/// An answer made for many, and which coding it has.
struct Made: Sendable {
    let response: BakedResponse
    /// Identity too where another was asked for and would not have been smaller.
    let coding: ContentCoding
    /// In the form ``AnswerKey/Form/gzipPart`` and ``AnswerKey/Form/gzipEvent``, the body with what
    /// joining it to others takes.
    var part: GzipPart?
}
