package import HTTPWire

extension RequestHead {
    /// Parses a head from a text.
    ///
    /// - Parameter text: A complete head with its empty line, and nothing after it.
    /// - Throws: The parser's error; ``RequestError/invalidRequestLine`` if the head is incomplete
    ///   or more text follows.
    package init(parsing text: String) throws(RequestError) {
        var parser = RequestParser()
        let bytes = Array(text.utf8)
        let (count, isComplete) = try parser.consume(bytes.span)
        guard isComplete, count == bytes.count else { throw .invalidRequestLine }
        self = parser.head
    }
}
