extension RequestHead {
    /// The first Origin field, as far as the head was read; nil when there is none.
    package var origin: [UInt8]? { first(.origin).map { Array(bytes[$0]) } }
}
