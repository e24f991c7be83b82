public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension InMemoryServer: FeedTransport {
    /// Answers a request.
    public func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let answer = try await answer(to: request)
        return (answer.body, try answer.head(for: request))
    }

    /// Answers a request in parts: a stream by events as feeds change, any other request at once.
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

    /// Does nothing, because there are no connections.
    public func renew() {}
}

extension InMemoryServer {
    /// Returns the answer to a request; a long poll waits until there are changes, or its time is
    /// over.
    private func answer(to request: URLRequest) async throws -> InMemoryAnswer {
        if let refusal = try await admit(request) { return refusal }
        let asked = InMemoryRequest(request)
        guard asked.wait > .zero else { return try answerNow(asked) }
        return try await race([
            {
                try await self.first {
                    let answer = try self.answerNow(asked)
                    return answer.isUnchanged ? nil : answer
                }
            },
            {
                try await Task.sleep(for: asked.wait)
                return try self.answerNow(asked)
            },
        ])
    }

    /// Waits until `find` returns a result; it is called again after each change of the server.
    private func first<Result>(_ find: () throws -> Result?) async throws -> Result {
        while true {
            let seen = revision.value
            if let result = try find() { return result }
            await revision.waitForChange(from: seen)
            try Task.checkCancellation()
        }
    }

    private func answerNow(_ request: InMemoryRequest) throws -> InMemoryAnswer {
        guard request.route.hasPrefix("GET ") else { return change { $0.feeds.answer(request) } }
        try checkConnection()
        var feeds = state.withLock(\.feeds)
        return feeds.answer(request)
    }

    /// Sends the response to a request in parts: of a stream, the events that lead its reader to
    /// the current versions, at first one for each feed.
    private func send(
        _ request: URLRequest,
        to parts: AsyncThrowingStream<ResponsePart, any Error>.Continuation
    ) async throws {
        let asked = InMemoryRequest(request)
        guard asked.route == "GET events" else {
            let answer = try await answer(to: request)
            parts.yield(.head(try answer.head(for: request)))
            parts.yield(.body(answer.body))
            return
        }
        let refusal = try await admit(request)
        let answer = refusal ?? InMemoryAnswer(type: "text/event-stream")
        parts.yield(.head(try answer.head(for: request)))
        guard refusal == nil else {
            parts.yield(.body(answer.body))
            return
        }
        var held = asked.entries
        var isFirst = true
        while true {
            let seen = revision.value
            try checkConnection()
            let feeds = state.withLock(\.feeds)
            for (index, entry) in held.enumerated() {
                let (name, since) = entry
                let document = feeds.document(of: name, since: since, through: asked.view)
                guard isFirst || document.token != since else { continue }
                held[index].since = document.token
                let id = held.compactMap { name, token in token.map { "\(name)@\($0)" } }
                let event = Data("event: \(document.kind)\ndata: ".utf8) + document.json
                parts.yield(.body(event + Data("\nid: \(id.joined(separator: ","))\n\n".utf8)))
            }
            isFirst = false
            await revision.waitForChange(from: seen)
            try Task.checkCancellation()
        }
    }

    /// Records a request, waits while answers are held, and returns the refusal by a fault; `nil`:
    /// the request is to be answered.
    private func admit(_ request: URLRequest) async throws -> InMemoryAnswer? {
        let fault = change { state in
            state.requests.append(Request(request))
            guard state.faultCount > 0 else { return Fault?.none }
            state.faultCount -= 1
            return state.fault
        }
        try await first { state.withLock { $0.isHolding ? nil : () } }
        return try fault?.answer
    }

    /// Throws the error of ``Fault/offline`` while the server has that fault.
    private func checkConnection() throws {
        let isOffline = state.withLock { $0.faultCount > 0 && $0.fault == .offline }
        if isOffline { _ = try Fault.offline.answer }
    }
}

extension InMemoryServer.Fault {
    /// The answer to a request that meets the fault.
    fileprivate var answer: InMemoryAnswer {
        get throws {
            switch self {
            case .offline:
                let reason = "The Internet connection appears to be offline."
                throw FeedServiceError.unreachable(reason)
            case .page(let page): return InMemoryAnswer(type: "text/html", body: Data(page.utf8))
            case .refusal(let status, let type, let detail, let delay):
                var answer = InMemoryAnswer(refusing: status, type, detail)
                answer.retryAfter = delay
                return answer
            }
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
