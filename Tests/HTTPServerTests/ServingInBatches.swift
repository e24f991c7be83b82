import Dispatch
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Connections that are ready at once are received from, answered and sent to step by step.
@Suite(.timeLimit(.minutes(2))) struct ServingInBatches {
    /// What a request asks for, and whether its connection goes on after the response.
    private enum Kind: CaseIterable {
        case cached, head, large, made, later, body, last, broken

        var isLast: Bool { self == .last || self == .broken }

        func request(_ path: String) -> String {
            switch self {
            case .cached: "GET /cached\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            case .head: "HEAD /cached\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            case .large: "GET /large\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            case .made: "GET /made\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            case .later: "GET /later\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
            case .body: "POST /body\(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
            case .last: "GET /cached\(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            case .broken: "GET  /\r\nHost: a\r\n\r\n"
            }
        }

        func text(_ path: String) -> String? {
            switch self {
            case .cached, .last: "/cached\(path)"
            case .head: ""
            case .large: ServingInBatches.large("/large\(path)")
            case .made: "/made\(path)"
            case .later: "/later\(path)"
            case .body: "/body\(path)abc"
            case .broken: nil
            }
        }
    }

    private static func large(_ path: String) -> String {
        path + String(repeating: "-", count: 40_000)
    }

    private static func response(to request: Request) -> Reply {
        let path = request.path
        if path.hasPrefix("/cached") {
            return .cached(Payload(.text(path)))
        }
        if path.hasPrefix("/large") {
            return .cached(Payload(.text(large(path))))
        }
        if path.hasPrefix("/later") {
            return .later { responder in HTTPServerTests.later { responder(.text(path)) } }
        }
        guard path.hasPrefix("/body") else {
            // A few of these take a loop's round.
            let end = ContinuousClock.now + .milliseconds(1)
            while ContinuousClock.now < end {}
            return .response(.text(path))
        }
        return .wholeBody(limit: 10, refuse: { .text("\($0)") }) { content, responder in
            responder(.text(path + String(decoding: content, as: UTF8.self)))
        }
    }

    @Test(arguments: 0..<UInt64(8))
    func eachOfThoseWhoAskAtOnceGetsItsOwnResponses(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withHeldServer(ServingInBatches.response) { server, whileHeld in
            var clients = try (0..<60).map { _ in try RawClient(port: server.port) }
            for round in 0..<6 {
                var expected: [[(Kind, String)]] = []
                var rests: [[UInt8]] = []
                try whileHeld {
                    for (number, client) in clients.enumerated() {
                        let kinds = Self.kinds(using: &random)
                        let asked = kinds.enumerated().map { ($1, "/\(round)/\(number)/\($0)") }
                        let bytes = Array(asked.map { $0.request($1) }.joined().utf8)
                        let isCut = Int.random(in: 0..<5, using: &random) == 0
                        let end =
                            isCut ? Int.random(in: 0...bytes.count, using: &random) : bytes.count
                        try client.send(Array(bytes[..<end]))
                        expected.append(asked)
                        rests.append(Array(bytes[end...]))
                    }
                    // One who asked and has left is in nobody's way.
                    let leaver = try RawClient(port: server.port)
                    try leaver.send(Kind.cached.request("/left"))
                    leaver.reset()
                }
                for (client, rest) in zip(clients, rests) where !rest.isEmpty {
                    // Its connection may have ended before.
                    try? client.send(rest)
                }
                for (number, asked) in expected.enumerated() {
                    try Self.check(clients[number], asked)
                    guard asked.last?.0.isLast == true else { continue }
                    #expect(try clients[number].isEnded())
                    clients[number] = try RawClient(port: server.port)
                }
            }
        }
    }

    /// A few requests; only the last of them may end its connection.
    private static func kinds(using random: inout SeededGenerator) -> [Kind] {
        let count = Int.random(in: 1...5, using: &random)
        var kinds = (0..<count).compactMap { _ in Kind.allCases.randomElement(using: &random) }
        if let last = kinds.firstIndex(where: \.isLast) { kinds.removeSubrange((last + 1)...) }
        return kinds
    }

    private static func check(_ client: RawClient, _ asked: [(Kind, String)]) throws {
        for (kind, path) in asked {
            let response = try client.receive(isHead: kind == .head)
            #expect(response.status == (kind == .broken ? 400 : 200))
            if let text = kind.text(path) { #expect(response.text == text) }
        }
    }

    /// Neither for a pipeline, nor for a request that is not answered in place.
    @Test(arguments: [12, 1])
    func aResponseDoesNotWaitForWhatTakesLonger(count: Int) async throws {
        let (entered, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hold = { @Sendable in
            entered.signal()
            opened.wait()
        }
        let script: ScriptedHandler.Script = { request in
            let isLong = request.path == "/long"
            if isLong, count == 1 {
                return .later { responder in
                    hold()
                    responder(.text("/long"))
                }
            }
            if isLong { hold() }
            return .cached(Payload(.text(request.path)))
        }
        try await withHeldServer(script) { server, whileHeld in
            let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
            for client in clients {
                try client.send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().text == "/short")
            }
            let filler = String(repeating: "-", count: 500)
            let long = "GET /long HTTP/1.1\r\nHost: a\r\nCookie: \(filler)\r\n\r\n"
            try whileHeld {
                try clients[0].send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
                try clients[1].send(String(repeating: long, count: count))
            }
            entered.wait()
            #expect(try clients[0].receive().text == "/short")
            for _ in 0..<count { opened.signal() }
            for _ in 0..<count { #expect(try clients[1].receive().text == "/long") }
        }
    }

    /// Their sockets take a part of what they are sent, or nothing; a pipeline's responses are more
    /// than may be left to be sent.
    @Test func thoseWhoReadLateGetAllResponsesInOrder() async throws {
        let script: ScriptedHandler.Script = { request in
            let text = request.path + String(repeating: "-", count: 15_000)
            return .cached(Payload(.text(text)))
        }
        try await withHeldServer(script) { server, whileHeld in
            let clients = try (0..<6).map { _ in
                try RawClient(port: server.port, receiveByteCount: 4096)
            }
            let (rounds, pipeline) = (0..<40, 0..<9)
            for round in rounds {
                try whileHeld {
                    for (number, client) in clients.enumerated() {
                        for place in pipeline {
                            try client.send(Kind.made.request("/\(round)/\(number)/\(place)"))
                        }
                    }
                }
            }
            for round in rounds {
                for (number, client) in clients.enumerated() {
                    for place in pipeline {
                        let text = try client.receive().text
                        #expect(text.count > 15_000)
                        #expect(text.hasPrefix("/made/\(round)/\(number)/\(place)-"))
                    }
                }
            }
        }
    }

    /// Says with each notification who it is for, and how many there were.
    private final class NumberedStream: ResponseStream {
        let topic: Topic
        private let number: Int
        private let count: @Sendable () -> Int
        private let sent = Atomic(0)

        init(_ number: Int, _ topic: Topic, _ count: @escaping @Sendable () -> Int) {
            (self.number, self.topic, self.count) = (number, topic, count)
        }

        var topics: [Topic] { [topic] }

        func next(_ waker: StreamWaker) -> StreamPart {
            let now = count()
            guard now > sent.exchange(now, ordering: .relaxed) else { return .pending }
            let text = "\(number):\(now)" + String(repeating: "-", count: 10_000) + "\n"
            return .bytes(Array(text.utf8))
        }

        func closed() {}
    }

    @Test func eachSubscriberGetsItsOwnParts() async throws {
        let topic = Topic()
        let count = Mutex(0)
        let value = { @Sendable in count.withLock { $0 } }
        let script: ScriptedHandler.Script = { request in
            let number = Int(request.path.dropFirst()) ?? 0
            let stream = NumberedStream(number, topic, value)
            return .response(Response(status: .ok, body: .stream(stream)))
        }
        try await withHeldServer(script) { server, whileHeld in
            // Some never read; some have left.
            let readers = try (0..<50).map { number in
                let bytes = number % 7 == 0 ? 4096 : nil
                let client = try RawClient(port: server.port, receiveByteCount: bytes)
                try client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.readHead()
                return client
            }
            for last in 1...30 {
                try whileHeld {
                    if last == 15 { for number in [5, 17, 18] { readers[number].reset() } }
                    count.withLock { $0 = last }
                    topic.notify()
                }
                for (number, client) in readers.enumerated() {
                    guard number % 7 != 0, last < 15 || ![5, 17, 18].contains(number) else {
                        continue
                    }
                    try client.read(through: "\(number):\(last)-")
                    try client.read(through: "-\n")
                }
            }
            for number in stride(from: 0, to: readers.count, by: 7) {
                var seen = 0
                while seen < 30 {
                    let text = try readers[number].read(through: "\n\r\n")
                    // Behind the chunk's size.
                    let line = try #require(text.split(separator: "\r\n").last)
                    let part = line.prefix { $0 != "-" }.split(separator: ":")
                    #expect(part.first == "\(number)")
                    let now = try #require(part.last.flatMap { Int($0) })
                    #expect(now > seen)
                    seen = now
                }
            }
        }
    }
}
