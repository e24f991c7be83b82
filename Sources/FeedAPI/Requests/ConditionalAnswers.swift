import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// Conditions of resources without entity tag and date (RFC 9110 §13.1): `*` matches an existing
/// resource, no other tag matches, and dates are ignored.
extension RequestHead {
    var outcomeWithoutTag: Conditions.Outcome {
        outcome(Validators(nil), accepting: acceptEncoding)
    }
}

extension Conditions.Outcome {
    /// Returns the response without a tag, or the `304` or `412` in its place.
    func response(inPlaceOf whole: Response) -> Response {
        switch self {
        case .send: return whole
        case .notModified:
            let fields = whole.fields.only([.cacheControl, .vary, .accessControlAllowOrigin])
            return Response(status: .notModified, fields: fields)
        case .failed:
            let reason = "If-Match does not hold: what is here has no entity tag"
            var response = Problem(.precondition, .preconditionFailed, reason).response
            let fields = whole.fields.only([
                .vary, .accessControlAllowOrigin, .accessControlExposeHeaders,
            ])
            response.fields.append(contentsOf: fields)
            return response
        }
    }
}

extension Problem {
    /// Makes the `412` of a read.
    static func failed(_ condition: Conditions.Failure, _ tag: EntityTag) -> Problem {
        let reason =
            switch condition {
            case .match: "If-Match does not hold"
            case .unmodifiedSince: "If-Unmodified-Since does not hold: the version is later"
            }
        return Problem(
            .precondition,
            .preconditionFailed,
            "\(reason); the entity tag is \(tag.text(.identity))"
        )
    }
}

extension HTTPFields {
    /// Returns the fields with these names.
    fileprivate func only(_ names: [HTTPField.Name]) -> HTTPFields {
        HTTPFields(filter { names.contains($0.name) })
    }
}

/// The entity tags of this protocol's documents (docs/PROTOCOL.md, "One validator for everything").
extension EntityTag {
    /// Makes the tag of a version, which is its token.
    init(_ token: Token) { self.init(token.description.utf8) }

    /// Makes the tag of a document without a token, of 128 bits of its digest.
    init(digest: SHA256Digest.Bytes) {
        self.init(hash: digest.span.word(at: 0), digest.span.word(at: 8))
    }
}
