/// An answer that is made already, and for how long it is the right one.
package struct ReadyAnswer: Sendable {
    package let response: BakedResponse

    /// Tells whether the same request gets the same answer again; `nil` when only the handler
    /// can tell.
    package let standing: (any Standing)?

    package init(_ response: BakedResponse, standing: (any Standing)? = nil) {
        self.response = response
        self.standing = standing
    }
}

/// Whether an answer is still the right one.
///
/// It is asked with every request: it must be quick.
package protocol Standing: AnyObject, Sendable {
    /// Whether the request that it was given to would get it now; any thread may ask.
    var stands: Bool { get }
}
