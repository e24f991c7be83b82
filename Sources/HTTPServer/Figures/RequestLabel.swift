/// What a handler says about a request for the figures and the access log.
package struct RequestLabel: Sendable {
    /// Which of the handler's ``RequestHandler/routeNames`` it is for; 0: not known.
    package var route: UInt8 = 0

    /// What the owner of its key is called; `nil`: no key, or one without a name.
    package var user: String?

    /// Makes a label that says nothing.
    package init() {}
}
