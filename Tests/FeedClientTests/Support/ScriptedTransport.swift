import FeedClient
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers requests from a list, without a network.
final class ScriptedTransport: FeedTransport {
    /// What comes of a request.
    enum Answer: Sendable {
        case response(Int, [String: String] = [:], String = "")
        case failure(FeedServiceError)
        /// None, until ``release()``, and then this.
        indirect case held(Answer)
        /// Events, and then nothing until ``release()``.
        case stream(String)
        /// The end, without a head.
        case end
    }

    struct Seen: Sendable {
        let method: String
        let target: String
        let fields: [String: String]
        let body: String
    }

    private struct State {
        var answers: [Answer]
        var seen: [Seen] = []
        var renewals = 0
        var isReleased = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    convenience init(_ answers: Answer...) { self.init(answers: answers) }

    init(answers: [Answer]) {
        state = Mutex(State(answers: answers))
    }

    var seen: [Seen] { state.withLock(\.seen) }
    var renewals: Int { state.withLock(\.renewals) }
    /// How many answers were not asked for yet.
    var remaining: Int { state.withLock(\.answers.count) }

    func renew() { state.withLock { $0.renewals += 1 } }

    /// Lets all answers go that are held.
    func release() {
        let waiters = state.withLock { state in
            state.isReleased = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let url = request.url ?? URL(fileURLWithPath: "/")
        return try await carryOut(answer(to: request, url), url)
    }

    private func answer(to request: URLRequest, _ url: URL) -> Answer {
        state.withLock { state in
            state.seen.append(
                Seen(
                    method: request.httpMethod ?? "",
                    target: url.path + (url.query.map { "?\($0)" } ?? ""),
                    fields: request.allHTTPHeaderFields ?? [:],
                    body: String(decoding: request.httpBody ?? Data(), as: UTF8.self)
                )
            )
            return state.answers.isEmpty
                ? .failure(.unreachable("the script has ended")) : state.answers.removeFirst()
        }
    }

    private func carryOut(_ answer: Answer, _ url: URL) async throws -> (Data, HTTPURLResponse) {
        switch answer {
        case .failure(let error): throw error
        case .end: throw FeedServiceError.unexpected("there is no response")
        case .held(let next):
            await released()
            return try await carryOut(next, url)
        case .stream(let events):
            let fields = ["Content-Type": "text/event-stream"]
            return try await carryOut(.response(200, fields, events), url)
        case .response(let status, let fields, let body):
            guard
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: status,
                    httpVersion: "HTTP/1.1",
                    headerFields: ["Content-Type": "application/json"].merging(fields) { $1 }
                )
            else { throw FeedServiceError.unexpected("no head") }
            return (Data(body.utf8), head)
        }
    }

    private func released() async {
        await withCheckedContinuation { waiter in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.waiters.append(waiter) }
                return state.isReleased
            }
            if isReleased { waiter.resume() }
        }
    }

    func parts(of request: URLRequest) -> AsyncThrowingStream<ResponsePart, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let url = request.url ?? URL(fileURLWithPath: "/")
                    let answer = answer(to: request, url)
                    if case .end = answer { return continuation.finish() }
                    let (body, head) = try await carryOut(answer, url)
                    continuation.yield(.head(head))
                    continuation.yield(.body(body))
                    if case .stream = answer { await released() }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension ScriptedTransport {
    /// A service that is answered by it.
    func service(keys: some KeyProvider, cache: FeedCache? = nil) -> FeedService {
        FeedService(baseURL: ScriptedTransport.address, keys: keys, cache: cache, transport: self)
    }

    func service(key: String? = nil, cache: FeedCache? = nil) -> FeedService {
        FeedService(baseURL: ScriptedTransport.address, key: key, cache: cache, transport: self)
    }

    private static var address: URL {
        URL(string: "http://127.0.0.1:1") ?? URL(fileURLWithPath: "/")
    }
}
