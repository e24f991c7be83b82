import FeedModel
import HTTPClient

/// Runs one case: sends its requests, and checks the responses.
struct CaseRun {
    typealias Waiting = Task<Result<ConformanceServer.Answer, CaseFailure>, Never>

    private let test: ConformanceCase
    private let server: ConformanceServer
    private var names: CaseNames
    /// The names of the feeds that the server may have and that are deleted at the end.
    private var feeds: [String]
    /// The requests that run in the background until a later step awaits them, by name.
    private var waiting: [String: Waiting] = [:]
    private var streams: [String: CaseStream] = [:]
    /// The client's copies of feeds to which documents are applied, by name.
    private var copies: [String: FeedReplica] = [:]

    /// The pause after the start of a background request, so that it reaches the server before the
    /// next step.
    private static let startPause = Duration.milliseconds(300)

    /// Prepares a case, with random names for its feeds.
    init(_ test: ConformanceCase, at server: ConformanceServer) {
        self.test = test
        self.server = server
        var names: [String: String] = [:]
        for feed in test.feeds {
            let drawn = String(UInt32.random(in: 0 ... .max), radix: 16)
            names[feed] = "\(server.prefix)\(drawn)-\(feed)"
        }
        self.names = CaseNames(names)
        feeds = names.values.sorted()
    }

    /// Runs the steps up to the first that fails, and deletes the case's feeds, even when the task
    /// is cancelled.
    mutating func run() async -> CaseResult {
        var failure: CaseResult.Failure?
        for (index, step) in test.steps.enumerated() where failure == nil && !Task.isCancelled {
            do {
                try await carryOut(step)
            } catch {
                let request =
                    (try? step.request.map { try "\($0.method) \(names.filled($0.path))" })
                failure = CaseResult.Failure(
                    step: index,
                    request: request ?? nil,
                    reason: error.reason
                )
            }
        }
        let wasStopped = Task.isCancelled
        streams = [:]
        for task in waiting.values { task.cancel() }
        for task in waiting.values { _ = await task.value }
        return CaseResult(
            name: test.name,
            citations: test.citations,
            failure: failure,
            wasStopped: wasStopped,
            leftovers: await leftovers()
        )
    }

    /// Deletes the case's feeds, even when the task is cancelled, and returns those that could not
    /// be deleted, with the reasons.
    private func leftovers() async -> [String] {
        var left: [String] = []
        for feed in feeds {
            do throws(CaseFailure) {
                try await server.delete(feed)
            } catch {
                left.append("\(feed): \(error.reason)")
            }
        }
        return left
    }

    private mutating func carryOut(_ step: ConformanceStep) async throws(CaseFailure) {
        switch step {
        case .exchange(let request, let expectation):
            try checkFeed(of: request)
            let answer = try await server.answer(to: request, names)
            if answer.head.status == 201 { try note(request) }
            try expect(expectation, answer)
        case .start(let name, let request):
            try checkFeed(of: request)
            waiting[name] = start(request)
            try? await Task.sleep(for: CaseRun.startPause)
        case .awaited(let name, let expectation):
            guard let task = waiting.removeValue(forKey: name) else {
                throw CaseFailure("the case awaits what was not started: \(name)")
            }
            let result = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            try expect(expectation, try result.get())
        case .open(let name, let request, let expectation):
            let (head, stream) = try await server.stream(request, names)
            streams[name] = stream
            try names.match(head, expectation.answer)
        case .next(let name, let expected, let copies):
            try await takeEvent(name, expected, copies)
        case .close(let name): streams[name] = nil
        case .holds(let name, let held):
            let document = copies[name]?.document ?? .null
            try names.match(held, document, at: "copy \(name)")
        }
    }

    private func start(_ request: CaseRequest) -> Waiting {
        let (server, names) = (server, names)
        return Task {
            do throws(CaseFailure) {
                return .success(try await server.answer(to: request, names))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// Restricts writes to the run's own feeds.
extension CaseRun {
    /// Throws if a request could write to a feed that does not belong to the run.
    ///
    /// Names that are not valid for a feed are allowed: cases check that a server refuses them.
    private func checkFeed(of request: CaseRequest) throws(CaseFailure) {
        guard !CaseRequest.safeMethods.contains(request.method),
            let feed = try feed(of: request), FeedName(feed) != nil,
            !feed.hasPrefix(server.prefix)
        else { return }
        throw CaseFailure("the case would write \(feed), which is not below \(server.prefix)")
    }

    /// Adds the feed of a request to the feeds to delete, even if its name is invalid and only a
    /// faulty server could have accepted it.
    private mutating func note(_ request: CaseRequest) throws(CaseFailure) {
        guard let feed = try feed(of: request), !feeds.contains(feed) else { return }
        feeds.append(feed)
    }

    /// Returns the feed's name as spelled in a request's path.
    private func feed(of request: CaseRequest) throws(CaseFailure) -> String? {
        let path = try names.filled(request.path)
        guard path.hasPrefix("/feeds/") else { return nil }
        return String(path.dropFirst("/feeds/".count).prefix { $0 != "/" && $0 != "?" })
    }
}

/// Checks responses and events.
extension CaseRun {
    private mutating func expect(
        _ expectation: CaseExpectation,
        _ answer: ConformanceServer.Answer
    ) throws(CaseFailure) {
        let expected = expectation.answer
        try names.match(answer.head, expected)
        if expected["empty"]?.isTrue == true, !answer.content.isEmpty {
            throw CaseFailure("content: \(answer.content.count) bytes, not none")
        }
        if let pattern = expected["text"]?.string {
            let text = String(decoding: answer.content, as: UTF8.self)
            try names.matchText(pattern, .string(ExactString(text)), at: "content")
        }
        if let bounds = expected["seconds"] {
            let (seconds, fraction) = answer.time.components
            let time = Double(seconds) + Double(fraction) / 1e18
            try names.matchNumber(bounds, "\(time)", at: "seconds")
        }
        guard expected["json"] != nil || !expectation.copies.isEmpty else { return }
        let document: JSONValue
        do {
            document = try JSONValue(parsing: answer.content)
        } catch {
            let text = String(decoding: answer.content.prefix(200), as: UTF8.self)
            throw CaseFailure("content: no JSON: \(error.reason): \(text)")
        }
        if let json = expected["json"] { try names.match(json, document, at: "content") }
        try give(document, expectation.copies)
    }

    private mutating func give(
        _ document: JSONValue,
        _ copies: [JSONValue.Entry]
    ) throws(CaseFailure) {
        for entry in copies {
            var part = document
            if let feed = entry.value.string {
                let name = try names.filled(feed)
                guard let member = document["feeds"]?[ExactString(name)] else {
                    throw CaseFailure("content.feeds.\(name): is not there")
                }
                part = member
            }
            let name = entry.name.string
            var copy = self.copies[name] ?? FeedReplica()
            do {
                try copy.take(part)
            } catch {
                throw CaseFailure("copy \(name) cannot take the document: \(error.reason)")
            }
            self.copies[name] = copy
        }
    }

    private mutating func takeEvent(
        _ name: String,
        _ expected: JSONValue,
        _ copies: [JSONValue.Entry]
    ) async throws(CaseFailure) {
        guard var stream = streams[name] else {
            throw CaseFailure("the case reads a stream that is not open: \(name)")
        }
        let (event, retry) = try await stream.next()
        streams[name] = stream
        let document: JSONValue
        do {
            document = try JSONValue(parsing: event.data)
        } catch {
            throw CaseFailure("event.data: no JSON: \(error.reason)")
        }
        guard !event.data.contains(UInt8(ascii: "\n")) else {
            throw CaseFailure("event.data: several lines, not one")
        }
        var actual: [JSONValue.Entry] = []
        actual["event"] = .string(ExactString(event.name))
        actual["data"] = document
        let known = expected.entries?.filter { !["id", "retry"].contains($0.name) } ?? []
        try names.match(.object(known), .object(actual), at: "event")
        if let bounds = expected["retry"] {
            try names.matchNumber(bounds, retry.map { "\($0)" }, at: "event.retry")
        }
        if let id = expected["id"] { try match(id, event.id) }
        try give(document, copies)
    }

    /// Compares an event's id with the expected one.
    ///
    /// Each id is a list with commas, whose order does not matter.
    private func match(_ expected: JSONValue, _ actual: String?) throws(CaseFailure) {
        guard let text = expected.string, let actual else {
            guard expected.isNull, actual == nil else {
                throw CaseFailure("event.id: is \(actual ?? "not there"), not \(expected.spelled)")
            }
            return
        }
        let wanted = try names.filled(text)
        guard Set(wanted.split(separator: ",")) == Set(actual.split(separator: ",")) else {
            throw CaseFailure("event.id: is \(actual), not \(wanted)")
        }
    }
}

/// An open event stream, which a case reads event by event.
struct CaseStream {
    private let body: ArrivingBody
    private var parser = EventParser()
    private var events: [(event: ServerEvent, retry: Int?)] = []
    /// The last `retry` of the stream, in milliseconds.
    private var retry: Int?

    /// The longest wait for an event.
    ///
    /// A correct server sends every event of the cases at once.
    private static let eventLimit = Duration.seconds(15)

    init(_ body: ArrivingBody) { self.body = body }

    /// Waits for the next event, and returns it with the last `retry` before its end, in
    /// milliseconds.
    ///
    /// Comments are skipped.
    ///
    /// - Throws: ``CaseFailure`` when no event comes in time or the stream ends.
    mutating func next() async throws(CaseFailure) -> (event: ServerEvent, retry: Int?) {
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
                for part in try parser.parse(part) {
                    switch part {
                    case .event(let event): events.append((event, retry))
                    case .retry(let time): retry = time
                    case .heartbeat: break
                    }
                }
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
