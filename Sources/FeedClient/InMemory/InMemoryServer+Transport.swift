public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension InMemoryServer: FeedTransport {
    /// Answers a request.
    public func response(
        to request: URLRequest,
        isHeld: Bool
    ) async throws -> (Data, HTTPURLResponse) {
        let asked = InMemoryRequest(request)
        let deadline = ContinuousClock.now + asked.wait
        var answer = try await admit(request)
        while answer == nil {
            let seen = revision.value
            let next = try now(asked)
            if next.isUnchanged, ContinuousClock.now < deadline {
                await wait(after: seen, until: deadline)
                try Task.checkCancellation()
            } else {
                answer = next
            }
        }
        guard let answer else { throw CancellationError() }
        return (answer.body, try answer.head(for: request))
    }

    /// Answers a request by a stream of what changes, or as any other.
    public func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error> {
        let (stream, parts) = AsyncThrowingStream.makeStream(
            of: ResponsePart.self,
            throwing: (any Error).self
        )
        let task = Task {
            do {
                try await send(request, to: parts)
                parts.finish()
            } catch {
                parts.finish(throwing: error)
            }
        }
        parts.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Has no connections to forget.
    public func renew() {}
}

extension InMemoryServer {
    /// Notes a request, and holds it where that was asked for.
    ///
    /// - Returns: A refusal; `nil` where the request is to be answered.
    private func admit(_ request: URLRequest) async throws -> InMemoryAnswer? {
        let fault = change { state in
            state.requests.append(Request(request))
            guard state.faultCount > 0 else { return Fault?.none }
            state.faultCount -= 1
            return state.fault
        }
        while true {
            let seen = revision.value
            guard state.withLock(\.isHolding) else { break }
            await revision.waitForChange(from: seen)
            try Task.checkCancellation()
        }
        switch fault {
        case nil: return nil
        case .offline: throw InMemoryServer.unreachable
        case .page(let page): return InMemoryAnswer(page: page)
        case .refusal(let status, let type, let detail, let delay):
            var answer = InMemoryAnswer(refusing: status, type, detail)
            answer.fields["Retry-After"] = delay.map { String($0.components.seconds) }
            return answer
        }
    }

    private static let unreachable = FeedServiceError.unreachable(
        "The Internet connection appears to be offline."
    )

    /// Whether all who wait are cut off.
    private func checkConnection() throws {
        let isOffline = state.withLock { $0.fault == .offline && $0.faultCount > 0 }
        if isOffline { throw InMemoryServer.unreachable }
    }

    private func now(_ request: InMemoryRequest) throws -> InMemoryAnswer {
        guard request.method != "GET" else {
            try checkConnection()
            var feeds = state.withLock(\.feeds)
            return feeds.answer(request)
        }
        return change { $0.feeds.answer(request) }
    }

    private func wait(after seen: Int, until deadline: ContinuousClock.Instant) async {
        await withTaskGroup { group in
            group.addTask { await self.revision.waitForChange(from: seen) }
            group.addTask { try? await Task.sleep(until: deadline, clock: .continuous) }
            await group.next()
            group.cancelAll()
        }
    }

    private func send(
        _ request: URLRequest,
        to parts: AsyncThrowingStream<ResponsePart, any Error>.Continuation
    ) async throws {
        let asked = InMemoryRequest(request)
        let refusal = try await admit(request)
        guard asked.target == .events, refusal == nil else {
            let answer = try refusal ?? now(asked)
            parts.yield(.head(try answer.head(for: request)))
            parts.yield(.body(answer.body))
            return
        }
        var stream = InMemoryAnswer("".utf8)
        stream.fields["Content-Type"] = "text/event-stream"
        parts.yield(.head(try stream.head(for: request)))
        var reader = InMemoryStream(asked)
        while true {
            let seen = revision.value
            try checkConnection()
            let events = reader.events(state.withLock(\.feeds))
            if !events.isEmpty { parts.yield(.body(events)) }
            await revision.waitForChange(from: seen)
            try Task.checkCancellation()
        }
    }
}

extension InMemoryServer.Request {
    fileprivate init(_ request: URLRequest) {
        let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        method = request.httpMethod ?? "GET"
        target =
            (parts?.percentEncodedPath ?? "") + (parts?.percentEncodedQuery.map { "?\($0)" } ?? "")
        fields = request.allHTTPHeaderFields ?? [:]
        body = request.httpBody ?? Data()
    }
}
