/// Why a body was not taken.
package enum BodyRefusal: Error, Equatable {
    /// 413; the limit is in bytes, before and after decoding.
    case tooLarge(limit: Int)

    /// 415: a content coding other than gzip and identity.
    case unsupportedCoding(String)

    /// 400: it is not what its content coding says, about so many bytes behind its start as it was
    /// sent.
    case malformedCoding(at: Int)

    /// 400: it ends before its content coding does.
    case truncatedCoding

    /// 503: all bodies that arrive now fill the memory there is for them.
    case overloaded
}
