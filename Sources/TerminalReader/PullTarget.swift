import FeedUI

/// The target of the refresh control's action.
@MainActor
final class PullTarget: Responder {
    /// Called when a pull triggers a refresh.
    var action: (() -> Void)?

    override func responds(to action: ActionName) -> Bool { action == "refresh" }

    override func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
        self.action?()
    }
}
