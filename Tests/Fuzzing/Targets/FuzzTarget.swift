/// What is done with bytes that a fuzzer makes up, and again with those that it once found.
///
/// Each case is a function of the bytes alone, so that what it finds can be found again.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Bytes of a connection: heads and bodies, however they are cut.
    case requests
    /// A body in chunks.
    case chunks
    /// A request's target.
    case targets
    /// The value of a field.
    case fields
    /// A line for each field of a request for parts of a file.
    case ranges
    /// A body that is compressed.
    case inflate
    /// A target of a read, and fields, a line each.
    case reads
    /// The query of a pull, and fields, a line each.
    case pulls
    /// A JSON document.
    case json
    /// A feed's document and edits of it, with a NUL between them.
    case edits
    /// Any document and a patch of it, with a NUL between them.
    case patches
    /// Two documents of a feed, with a NUL between them.
    case changes
    /// A document of a source: XML, JSON or anything.
    case documents
    /// A date as feeds write them.
    case dates
    /// HTML of an entry.
    case html
}

extension FuzzTarget {
    /// Checks what must be true whatever `input` is.
    ///
    /// - Throws: What is not true; what must not be traps by itself.
    package func run(_ input: [UInt8]) throws(Finding) {
        switch self {
        case .requests: try RequestChecks.run(input)
        case .chunks: try ChunkChecks.run(input)
        case .targets: try TargetChecks.run(input)
        case .fields: try FieldChecks.run(input)
        case .ranges: try RangeRequestChecks.run(input)
        case .inflate: try InflateChecks.run(input)
        case .reads: try ReadChecks.run(input)
        case .pulls: try PullChecks.run(input)
        case .json: try JSONChecks.run(input)
        case .edits: try EditChecks.run(input)
        case .patches: try PatchChecks.run(input)
        case .changes: try ChangeChecks.run(input)
        case .documents: try DocumentChecks.run(input)
        case .dates: try DateChecks.run(input)
        case .html: try HTMLChecks.run(input)
        }
    }
}
