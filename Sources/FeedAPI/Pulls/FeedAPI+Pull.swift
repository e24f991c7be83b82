import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /pull`: many feeds in one request.
extension FeedAPI {
    func readPull(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        try checkMayReadAny(request.caller)
        let wait = try WaitPreference(request)
        let read = PullRead(
            selection: try FeedSelection(request),
            caller: request.caller,
            parts: ReadParts(request),
            wait: wait,
            isQuery: request.names != nil,
            origin: wait == nil ? nil : request.head.value(.origin)
        )
        let pull = pull(read)
        guard let wait, pull.isStill(read.parts) else { return respond(pull, read) }
        let topics = read.selection.entries.compactMap(\.feed).map(topics.topic(of:))
        let time = time(ofWait: wait.seconds, request.caller)
        let seen = SeenPull(pull, by: self)
        return .wait(
            LongPoll(for: topics, time: time, byteCount: read.selection.byteCount) {
                [current = currentConfiguration] isLast in
                (current.api ?? self).attempt(read, seen, isLast: isLast)
            }
        )
    }

    /// Refuses who could see nothing for want of a key.
    func checkMayReadAny(_ caller: Access.Caller) throws(Problem) {
        if case .anyone = caller, access.open.isEmpty {
            throw .unauthorized("reading needs a key here")
        }
    }

    private func attempt(_ read: PullRead, _ seen: SeenPull, isLast: Bool) -> Reply? {
        var read = read
        read.parts.requester = read.parts.requester.renewed(read.origin, by: builder.cors)
        do throws(Problem) {
            read.caller = try access.renewed(read.caller, isLast: isLast)
            if !isLast, seen.isCurrent(for: read, self) { return nil }
            let pull = pull(read)
            if !isLast, pull.isStill(read.parts) {
                seen.note(pull, by: self)
                return nil
            }
            return respond(pull, read)
        } catch {
            return .response(builder.response(error, for: read.parts.requester))
        }
    }

    private func pull(_ read: PullRead) -> Pull {
        let selection = read.selection
        let choices = selection.entries.map { entry in
            visible(entry.feed, to: read.caller).map {
                choice($0, since: entry.since, selection.presentation)
            }
        }
        return Pull(selection.entries, choices: choices, view: selection.view)
    }
}
