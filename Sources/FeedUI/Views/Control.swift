public import Foundation

/// The base of everything that a person operates; it is never used by itself.
///
/// Follows `UIControl`: states, target and action, tracking.
@MainActor
open class Control: Widget {
    /// The state of a control at a moment, which decides its looks and behaviour.
    public struct State: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// None of the others.
        public static let normal: State = []
        /// A finger is on it.
        public static let highlighted = State(rawValue: 1)
        /// It tracks nothing and sends nothing.
        public static let disabled = State(rawValue: 2)
        /// Chosen, as a switch that is on.
        public static let selected = State(rawValue: 4)
        /// It has the focus for keys.
        public static let focused = State(rawValue: 8)
    }

    /// An event of a control.
    public struct Event: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let touchDown = Event(rawValue: 1)
        public static let touchDragInside = Event(rawValue: 2)
        public static let touchDragOutside = Event(rawValue: 4)
        public static let touchUpInside = Event(rawValue: 8)
        public static let touchUpOutside = Event(rawValue: 16)
        public static let touchCancel = Event(rawValue: 32)
        public static let valueChanged = Event(rawValue: 64)
        public static let primaryActionTriggered = Event(rawValue: 128)
        /// Every one.
        public static let allEvents = Event(rawValue: 255)
    }

    /// Where content is across the control.
    public enum ContentHorizontalAlignment: Sendable {
        case center, left, right, fill, leading, trailing
    }

    /// Where content is along its height.
    public enum ContentVerticalAlignment: Sendable { case center, top, bottom, fill }

    /// The description of a control for a screen reader.
    public struct Accessibility: Sendable {
        /// The name of the control.
        public var label: String?
        /// The effect of the control.
        public var hint: String?
        /// The value that it is set to.
        public var value: String?
        /// The kinds of thing that it is.
        public var traits: Set<String> = []
        /// Where it is in the window; `nil`: its own frame.
        public var frame: CGRect?
    }

    /// Whether it can be operated.
    open var isEnabled = true {
        didSet { if !isEnabled, isTracking { cancel(nil) } }
    }

    /// Whether it is chosen.
    open var isSelected = false
    /// Whether a finger is on it.
    open var isHighlighted = false
    /// Whether keys operate it.
    open var isFocused = false
    /// Whether it follows a touch.
    public private(set) var isTracking = false
    /// Whether the touch that it follows is within it.
    public private(set) var isTouchInside = false
    /// Where content is across the control.
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    /// Where content is along its height.
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    /// The description for a screen reader.
    open var accessibility = Accessibility()

    private var actions = ControlActions()

    /// Sends one action; a subclass watches or changes here what is sent.
    open func sendAction(_ action: ActionName, to target: (any ActionTarget)?, for event: Event?) {
        if let target {
            guard target.responds(to: action) else { return }
            return target.perform(action, sender: self, event: event)
        }
        var responder: Responder? = self
        while let current = responder, !current.responds(to: action) { responder = current.next }
        responder?.perform(action, sender: self, event: event)
    }

    /// Is told of every event, before its actions are sent.
    open func didHappen(_ event: Event) {}

    /// A touch went down on it; a subclass follows it from here.
    ///
    /// - Returns: Whether to follow it.
    open func beginTracking(_ touch: Touch) -> Bool { true }

    /// The touch moved.
    ///
    /// - Returns: Whether to go on following it.
    open func continueTracking(_ touch: Touch) -> Bool { true }

    /// The touch was lifted, or is followed no longer.
    open func endTracking(_ touch: Touch?) {}

    /// The touch was taken away.
    open func cancelTracking(_ touch: Touch?) {}

    open override func touchesBegan(_ touch: Touch) {
        guard isEnabled, beginTracking(touch) else { return }
        (isTracking, isTouchInside, isHighlighted) = (true, true, true)
        sendActions(for: .touchDown)
    }

    open override func touchesMoved(_ touch: Touch) {
        guard isTracking else { return }
        guard continueTracking(touch) else {
            (isTracking, isTouchInside, isHighlighted) = (false, false, false)
            return endTracking(touch)
        }
        isTouchInside = contains(touch)
        isHighlighted = isTouchInside
        sendActions(for: isTouchInside ? .touchDragInside : .touchDragOutside)
    }

    open override func touchesEnded(_ touch: Touch) {
        guard isTracking else { return }
        let isInside = contains(touch)
        (isTracking, isTouchInside, isHighlighted) = (false, false, false)
        endTracking(touch)
        sendActions(for: isInside ? .touchUpInside : .touchUpOutside)
        if isInside { sendActions(for: .primaryActionTriggered) }
    }

    open override func touchesCancelled(_ touch: Touch) {
        if isTracking { cancel(touch) }
    }

    private func cancel(_ touch: Touch?) {
        (isTracking, isTouchInside, isHighlighted) = (false, false, false)
        cancelTracking(touch)
        sendActions(for: .touchCancel)
    }

    private func contains(_ touch: Touch) -> Bool {
        CGRect(origin: origin, size: frame.size).contains(fromWindow(touch.location))
    }

    /// The state at this moment.
    open var state: State {
        var state = State.normal
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isFocused { state.insert(.focused) }
        return state
    }
}

/// Target and action.
extension Control {
    /// Sends an action to a target when any of some events happens.
    ///
    /// - Parameters:
    ///   - target: Is held weakly; `nil`: the first responder, from the control outwards, that
    ///     implements the action.
    ///   - action: The action to send.
    ///   - events: When.
    public func addTarget(_ target: (any ActionTarget)?, action: ActionName, for events: Event) {
        actions.add(target, action, events)
    }

    /// Takes that back.
    ///
    /// - Parameters:
    ///   - target: `nil`: all of them.
    ///   - action: `nil`: all of them.
    ///   - events: For which.
    public func removeTarget(_ target: (any ActionTarget)?, action: ActionName?, for events: Event)
    {
        actions.remove(target, action, events)
    }

    /// The actions of a target for an event, in their order.
    public func actions(
        forTarget target: (any ActionTarget)?,
        forControlEvent event: Event
    ) -> [ActionName] {
        actions.actions(of: target, for: event)
    }

    /// The targets that are still there; `nil` stands for the responder chain.
    public var allTargets: [(any ActionTarget)?] { actions.targets }

    /// The events for which an action is registered.
    public var allControlEvents: Event { actions.events }

    /// Sends the actions of events, an event after the other; none where it is disabled.
    public func sendActions(for events: Event) {
        guard isEnabled else { return }
        for bit in 0..<8 {
            let event = Event(rawValue: 1 << bit)
            guard events.contains(event) else { continue }
            didHappen(event)
            for (target, action) in actions.list(for: event) {
                sendAction(action, to: target, for: event)
            }
        }
    }
}
