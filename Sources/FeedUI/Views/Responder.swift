/// The name of an action, as a selector in UIKit.
public struct ActionName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String

    /// Takes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Takes a name.
    public init(stringLiteral value: String) { rawValue = value }
}

/// Something that carries actions out.
@MainActor
public protocol ActionTarget: AnyObject {
    /// Whether it implements an action.
    func responds(to action: ActionName) -> Bool

    /// Carries an action out.
    ///
    /// - Parameters:
    ///   - action: An action that it implements.
    ///   - sender: The control that sends it.
    ///   - event: The event of the control; `nil` where code sends it.
    func perform(_ action: ActionName, sender: Control, event: Control.Event?)
}

/// Something that may get an event or an action, and knows who is asked next.
@MainActor
open class Responder: ActionTarget {
    /// Makes a responder.
    public init() {}

    /// Who is asked next; `nil`: nobody.
    open var next: Responder? { nil }

    /// Whether it implements an action; a subclass that does says so.
    open func responds(to action: ActionName) -> Bool { false }

    /// Carries an action out.
    open func perform(_ action: ActionName, sender: Control, event: Control.Event?) {}
}
