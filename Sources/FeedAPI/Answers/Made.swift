import HTTPServer

/// An answer made for many, and which coding it has.
struct Made: Sendable {
    let response: BakedResponse
    /// False too where gzip was asked for and would not have been smaller.
    let isGzip: Bool
}
