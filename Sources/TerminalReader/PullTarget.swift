import FeedUI

/// Hears the refresh control.
@MainActor
final class PullTarget: Responder {
    /// The action that a pull asks for.
    var action: (() -> Void)?

    override func responds(to action: ActionName) -> Bool { action == "refresh" }

    override func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
        self.action?()
    }
}
