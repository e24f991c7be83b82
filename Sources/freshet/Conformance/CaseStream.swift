import FeedClient
import HTTPClient

/// A stream of events that a case reads one by one.
struct CaseStream {
    private let body: ArrivingBody
    private var parser = EventParser()
    private var events: [ServerEvent] = []

    /// The longest wait for an event. Every event of the cases comes at once, on any network.
    private static let eventLimit = Duration.seconds(15)

    init(_ body: ArrivingBody) { self.body = body }

    /// Waits for the next event; comments and `retry` do not count.
    ///
    /// - Throws: ``CaseFailure`` when no event comes in time, or the stream ends.
    mutating func next() async throws(CaseFailure) -> ServerEvent {
        let deadline = ContinuousClock.now + CaseStream.eventLimit
        while events.isEmpty {
            let part: [UInt8]?
            do {
                part = try await CaseStream.part(of: body, until: deadline)
            } catch let failure as CaseFailure {
                throw failure
            } catch {
                throw CaseFailure("the stream broke off: \(error)")
            }
            guard let part else { throw CaseFailure("the stream ended") }
            do {
                for case .event(let event) in try parser.parse(part) { events.append(event) }
            } catch {
                throw CaseFailure("\(error)")
            }
        }
        return events.removeFirst()
    }

    private static func part(
        of body: ArrivingBody,
        until deadline: ContinuousClock.Instant
    ) async throws -> [UInt8]? {
        try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                var parts = body.makeAsyncIterator()
                return try await parts.next()
            }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw CaseFailure("no event in \(CaseStream.eventLimit.components.seconds) seconds")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
