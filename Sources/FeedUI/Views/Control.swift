public import Foundation

/// The base class of all controls that a user operates.
///
/// Follows `UIControl`: states, target and action, tracking.
@MainActor
open class Control: Widget {
    /// The state of a control, which decides its appearance and behaviour.
    public struct State: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The state without any of the others.
        public static let normal: State = []
        /// A finger is on the control.
        public static let highlighted = State(rawValue: 1)
        /// The control tracks no touches and sends no actions.
        public static let disabled = State(rawValue: 2)
        /// The control is chosen, such as a switch that is on.
        public static let selected = State(rawValue: 4)
        /// The control has the keyboard focus.
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
        /// All events.
        public static let allEvents = Event(rawValue: 255)
    }

    /// The horizontal alignment of the content.
    public enum ContentHorizontalAlignment: Sendable {
        case center, left, right, fill, leading, trailing
    }

    /// The vertical alignment of the content.
    public enum ContentVerticalAlignment: Sendable { case center, top, bottom, fill }

    /// The description of a control for a screen reader.
    public struct Accessibility: Sendable {
        /// The name of the control.
        public var label: String?
        /// The effect of the control.
        public var hint: String?
        /// The current value of the control.
        public var value: String?
        /// The traits of the control, such as "button".
        public var traits: Set<String> = []
        /// The control's rectangle in the window; `nil`: its own frame.
        public var frame: CGRect?
    }

    /// Whether the control can be operated.
    open var isEnabled = true {
        didSet { if !isEnabled, isTracking { cancel(nil) } }
    }

    /// Whether the control is chosen.
    open var isSelected = false
    /// Whether a finger is on the control.
    open var isHighlighted = false
    /// Whether the control has the keyboard focus.
    open var isFocused = false
    /// Whether the control is following a touch.
    public private(set) var isTracking = false
    /// Whether the touch is within the control.
    public private(set) var isTouchInside = false
    /// The horizontal alignment of the content.
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    /// The vertical alignment of the content.
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    /// The description for a screen reader.
    open var accessibility = Accessibility()

    /// A registered action.
    private struct Registration {
        weak var target: (any ActionTarget)?
        /// Whether the responder chain finds the target.
        let isChained: Bool
        let action: ActionName
        var events: Event

        /// Whether the target still exists.
        var isAlive: Bool { isChained || target != nil }

        func isFor(_ other: (any ActionTarget)?) -> Bool {
            isChained ? other == nil : target != nil && target === other
        }
    }

    /// The registered actions, in the order in which they were added.
    private var registrations: [Registration] = []

    /// Sends an action to a target, or along the responder chain if the target is `nil`.
    ///
    /// A subclass can observe or change actions here.
    open func sendAction(_ action: ActionName, to target: (any ActionTarget)?, for event: Event?) {
        if let target {
            guard target.responds(to: action) else { return }
            return target.perform(action, sender: self, event: event)
        }
        var responder: Responder? = self
        while let current = responder, !current.responds(to: action) { responder = current.next }
        responder?.perform(action, sender: self, event: event)
    }

    /// Called for every event, before its actions are sent.
    open func didHappen(_ event: Event) {}

    /// Called when a touch goes down on the control.
    ///
    /// - Returns: Whether the control follows the touch.
    open func beginTracking(_ touch: Touch) -> Bool { true }

    /// Called when the touch moves.
    ///
    /// - Returns: Whether the control continues to follow the touch.
    open func continueTracking(_ touch: Touch) -> Bool { true }

    /// Called when the touch is lifted, or no longer followed.
    open func endTracking(_ touch: Touch?) {}

    /// Called when the touch is cancelled.
    open func cancelTracking(_ touch: Touch?) {}

    open override func touchesBegan(_ touch: Touch) {
        let window = window
        // A subclass may disable the control, or take it out.
        guard isEnabled, beginTracking(touch), isEnabled, self.window === window else { return }
        (isTracking, isTouchInside, isHighlighted) = (true, true, true)
        sendActions(for: .touchDown)
    }

    open override func touchesMoved(_ touch: Touch) {
        guard isTracking else { return }
        let continues = continueTracking(touch)
        // A subclass may have disabled the control, which ended the tracking.
        guard isTracking else { return }
        guard continues else {
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

    /// The current state.
    open var state: State {
        var state = State.normal
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isFocused { state.insert(.focused) }
        return state
    }
}

/// Sends actions to targets.
extension Control {
    /// Registers an action that is sent to a target when any of the events happens.
    ///
    /// - Parameters:
    ///   - target: The target, which is not retained; `nil`: the first responder, from the control
    ///     outwards, that implements the action.
    ///   - action: The action to send.
    ///   - events: The events.
    public func addTarget(_ target: (any ActionTarget)?, action: ActionName, for events: Event) {
        registrations.removeAll { !$0.isAlive }
        let known = registrations.firstIndex { $0.isFor(target) && $0.action == action }
        if let known {
            registrations[known].events.formUnion(events)
        } else {
            registrations.append(
                Registration(
                    target: target,
                    isChained: target == nil,
                    action: action,
                    events: events
                )
            )
        }
    }

    /// Removes actions that were registered.
    ///
    /// - Parameters:
    ///   - target: The target; `nil`: all targets.
    ///   - action: The action; `nil`: all actions.
    ///   - events: The events for which the actions are no longer sent.
    public func removeTarget(_ target: (any ActionTarget)?, action: ActionName?, for events: Event)
    {
        for index in registrations.indices
        where (target == nil || registrations[index].isFor(target))
            && (action == nil || registrations[index].action == action)
        {
            registrations[index].events.subtract(events)
        }
        registrations.removeAll { !$0.isAlive || $0.events.isEmpty }
    }

    /// Returns the actions of a target for an event, in the order in which they were added.
    public func actions(
        forTarget target: (any ActionTarget)?,
        forControlEvent event: Event
    ) -> [ActionName] {
        registrations.filter { $0.isFor(target) && $0.events.contains(event) }.map(\.action)
    }

    /// The targets that still exist; `nil` stands for the responder chain.
    public var allTargets: [(any ActionTarget)?] {
        var targets: [(any ActionTarget)?] = []
        for registration in registrations
        where registration.isAlive && !targets.contains(where: { registration.isFor($0) }) {
            targets.append(registration.target)
        }
        return targets
    }

    /// The events for which an action is registered.
    public var allControlEvents: Event {
        registrations.reduce(into: []) { if $1.isAlive { $0.formUnion($1.events) } }
    }

    /// Sends the actions of events, one event after the other.
    ///
    /// A disabled control sends none.
    public func sendActions(for events: Event) {
        guard isEnabled else { return }
        for bit in 0..<8 {
            let event = Event(rawValue: 1 << bit)
            guard events.contains(event) else { continue }
            didHappen(event)
            let due = registrations.filter { $0.isAlive && $0.events.contains(event) }
            // The list retains the targets until all actions are sent.
            for (target, action) in due.map({ ($0.target, $0.action) }) {
                sendAction(action, to: target, for: event)
            }
        }
    }
}
