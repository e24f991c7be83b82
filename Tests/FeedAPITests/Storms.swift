import Dispatch
import FeedDiff
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Two thousand who ask for the same at once, right after a publish.
@Suite struct Storms {
    private static let crowd = 2000

    @Test(
        arguments: [
            "/feeds/news", "/feeds/news?since=OLD", "/feeds/news?limit=900",
            "/pull?feed=news@OLD&feed=other", "/pull?feed=news",
        ],
        ["", "Accept-Encoding: gzip\r\n"]
    )
    func stormsHaveEachAnswerMadeOnce(_ target: String, _ fields: String) async throws {
        var configuration = APIConfiguration.patient
        configuration.keys = [AccessKey(API.key)]
        let api = FeedAPI(store: FeedStore(), configuration: configuration)
        let old = try publish(api, 0)
        _ = try publish(api, 1)
        let text = target.replacing("OLD", with: "\(old)")
        let head = try RequestHead(parsing: "GET \(text) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        let answers = Mutex<Set<Data>>([])
        await withCheckedContinuation { continuation in
            let left = Mutex(Storms.crowd)
            DispatchQueue.concurrentPerform(iterations: Storms.crowd) { _ in
                let responder = Responder { response in
                    let bytes = Storms.bytes(response)
                    answers.withLock { _ = $0.insert(bytes) }
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { continuation.resume() }
                }
                Storms.answer(api, head, responder)
            }
        }
        #expect(answers.withLock(\.count) == 1)
        #expect(api.documentCount == 1)
        #expect(api.compressionCount == (fields.isEmpty ? 0 : 1))
    }

    /// A feed whose documents, and whose changes, are worth making elsewhere and compressing.
    private func publish(_ api: FeedAPI, _ number: Int) throws -> Token {
        let name = try #require(FeedName("news"))
        let items = (0..<1000).map { index in
            let text = String(repeating: "some text \(number) ", count: 10)
            return #"{"id":"\#(index)","n":\#(index % 3 == 0 ? number : 7),"text":"\#(text)"}"#
        }
        let json = #"{"items":[\#(items.joined(separator: ","))]}"#
        let document = try Snapshot(publishing: Array(json.utf8))
        return api.store.publishInMemory(name) { _ in document }.current.token
    }

    private static func answer(_ api: FeedAPI, _ head: RequestHead, _ responder: Responder) {
        switch api.receive(Request(head: head)) {
        case .response(let response): responder(response)
        case .later(let take): take(responder)
        case .wait, .body: preconditionFailure("nobody asked to wait")
        }
    }

    /// As data, which compares all bytes at once.
    private static func bytes(_ response: Response) -> Data {
        let status = Data("\(response.status.code) ".utf8)
        switch response.body {
        case .bytes(let body): return status + body
        case .parts(let parts):
            return parts.reduce(into: status) { sum, part in
                if case .bytes(let bytes) = part { sum.append(contentsOf: bytes) }
            }
        default: return status
        }
    }
}
