/// The registered actions of a control, in the order in which they were added.
@MainActor
struct ControlActions {
    private struct Entry {
        weak var target: (any ActionTarget)?
        /// Whether the responder chain finds the target.
        let isChained: Bool
        let action: ActionName
        var events: Control.Event

        /// Whether the target still exists.
        var isAlive: Bool { isChained || target != nil }

        func isFor(_ other: (any ActionTarget)?) -> Bool {
            isChained ? other == nil : target != nil && target === other
        }
    }

    private var entries: [Entry] = []

    mutating func add(
        _ target: (any ActionTarget)?,
        _ action: ActionName,
        _ events: Control.Event
    ) {
        entries.removeAll { !$0.isAlive }
        if let known = entries.firstIndex(where: { $0.isFor(target) && $0.action == action }) {
            entries[known].events.formUnion(events)
        } else {
            entries.append(
                Entry(target: target, isChained: target == nil, action: action, events: events)
            )
        }
    }

    mutating func remove(
        _ target: (any ActionTarget)?,
        _ action: ActionName?,
        _ events: Control.Event
    ) {
        for index in entries.indices
        where (target == nil || entries[index].isFor(target))
            && (action == nil || entries[index].action == action)
        {
            entries[index].events.subtract(events)
        }
        entries.removeAll { !$0.isAlive || $0.events.isEmpty }
    }

    func actions(of target: (any ActionTarget)?, for event: Control.Event) -> [ActionName] {
        entries.filter { $0.isFor(target) && $0.events.contains(event) }.map(\.action)
    }

    /// Returns the actions for an event, with their targets.
    func list(for event: Control.Event) -> [(target: (any ActionTarget)?, action: ActionName)] {
        entries.filter { $0.isAlive && $0.events.contains(event) }.map { ($0.target, $0.action) }
    }

    var targets: [(any ActionTarget)?] {
        var targets: [(any ActionTarget)?] = []
        for entry in entries where entry.isAlive && !targets.contains(where: { entry.isFor($0) }) {
            targets.append(entry.target)
        }
        return targets
    }

    var events: Control.Event {
        entries.reduce(into: []) { if $1.isAlive { $0.formUnion($1.events) } }
    }
}
