import HTTPServer
import HTTPTypes
import HTTPWire

/// An answer made for many, and which coding it has.
struct Made: Sendable {
    let response: BakedResponse
    /// Identity too where another was asked for and would not have been smaller.
    let coding: ContentCoding
    /// In the form ``AnswerKey/Form/gzipPart`` and ``AnswerKey/Form/gzipEvent``, the body with what
    /// joining it to others takes.
    var part: GzipPart?
    /// The value of Refresh-After in the response; `nil` where it is no response.
    var hint: Int?

    /// The same with another hint in its head.
    func hinting(_ hint: Int) -> Made {
        let head: HTTPFields = [.refreshAfter: String(hint)]
        return Made(response: response.replacing(head), coding: coding, part: part, hint: hint)
    }

    /// About the bytes of memory that it takes, with its head, its place among others and its share
    /// of what is kept beside them.
    var byteCount: Int { response.body.count + 1700 }
}
