/// The name of an action, like a selector in UIKit.
public struct ActionName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String

    /// Makes a name from a string.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Makes a name from a string literal.
    public init(stringLiteral value: String) { rawValue = value }
}

/// An object that performs actions of controls.
@MainActor
public protocol ActionTarget: AnyObject {
    /// Returns whether the object implements an action.
    func responds(to action: ActionName) -> Bool

    /// Performs an action.
    ///
    /// - Parameters:
    ///   - action: An action that the object implements.
    ///   - sender: The control that sends the action.
    ///   - event: The event of the control; `nil`: code sends the action.
    func perform(_ action: ActionName, sender: Control, event: Control.Event?)
}

/// An object in the responder chain, which passes on events and actions that it does not handle.
@MainActor
open class Responder: ActionTarget {
    /// Makes a responder.
    public init() {}

    /// The next responder in the chain; `nil`: this is the last one.
    open var next: Responder? { nil }

    /// Returns whether the responder implements an action; by default none.
    open func responds(to action: ActionName) -> Bool { false }

    /// Performs an action; by default nothing happens.
    open func perform(_ action: ActionName, sender: Control, event: Control.Event?) {}
}
