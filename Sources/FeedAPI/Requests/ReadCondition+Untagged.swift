import HTTPServer
import HTTPTypes
import HTTPWire

extension RequestHead {
    /// What comes of the conditions of a read of what has neither an entity tag nor a date
    /// (RFC 9110 §13.1): `*` is true of what is there, a tag of nothing, and a date is not
    /// evaluated.
    var outcomeWithoutTag: ReadCondition.Outcome {
        if has(.ifMatch), withValue(.ifMatch, { $0.isAnyTag }) == false { return .failed(.match) }
        if has(.ifNoneMatch), withValue(.ifNoneMatch, { $0.isAnyTag }) == true {
            return .notModified(.any)
        }
        return .send
    }
}

extension Span<UInt8> {
    /// Whether a value of If-Match or If-None-Match is `*`.
    fileprivate var isAnyTag: Bool {
        if case .any = scanEntityTags(lenient: false, { _, _ in }) { true } else { false }
    }
}

extension ReadCondition.Outcome {
    /// The response without a tag, or the `304` or `412` in its place.
    func response(inPlaceOf whole: Response) -> Response {
        switch self {
        case .send: return whole
        case .notModified:
            let fields = whole.fields.only([.cacheControl] + Self.fieldsOfAll)
            return Response(status: .notModified, fields: fields)
        case .failed:
            let reason = "If-Match does not hold: what is here has no entity tag"
            var response = Problem(.precondition, .preconditionFailed, reason).response
            response.fields.append(contentsOf: whole.fields.only(Self.fieldsOfAll))
            return response
        }
    }

    /// What each of the three says.
    private static let fieldsOfAll: [HTTPField.Name] = [
        .vary, .accessControlAllowOrigin, .accessControlExposeHeaders,
    ]
}

extension HTTPFields {
    /// Those of these names.
    fileprivate func only(_ names: [HTTPField.Name]) -> HTTPFields {
        HTTPFields(filter { names.contains($0.name) })
    }
}
