import HTTPWire
import TestSupport
import Testing

/// Random changes to good requests: nothing traps, and every way of cutting has one outcome.
@Suite struct MutatedRequests {
    private static let requests = [
        "GET /feeds/news?since=q7x2m5kd.42 HTTP/1.1\r\nHost: a.example:80\r\n"
            + "If-None-Match: \"q7x2m5kd.42\"\r\nAccept-Encoding: gzip\r\n\r\n",
        "\r\nPOST http://[::1]:8080/x%20y HTTP/1.1\r\nHost: [::1]:8080\r\nExpect: 100-continue\r\n"
            + "Content-Length: 12\r\nConnection: keep-alive, x\r\n\r\nhello",
        "PUT /a HTTP/1.0\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc",
        "PATCH /a?b=%41+c&d HTTP/1.1\r\nhost:h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;a=\"b\"\r\nhello\r\n0\r\nT: v\r\n\r\n",
    ]
    /// Bytes that mean something somewhere.
    private static let pieces = [
        "\r", "\n", "\r\n", " ", "\t", ":", ",", ";", "\"", "\\", "%", "0", "f", "\u{0}", "\u{7f}",
        "chunked", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: h\r\n",
        "close", "HTTP/1.1", "/", "*", "[", "]", "999999999999999999999", "ffffffffffffffff",
    ]

    private func mutated(_ text: String, using random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2:
                let end = Int.random(in: index...bytes.count, using: &random)
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            default:
                let piece = Self.pieces.randomElement(using: &random) ?? ""
                bytes.insert(contentsOf: piece.utf8, at: index)
            }
        }
        return bytes
    }

    /// What became of a head and the body behind it.
    private func outcome(of parts: [[UInt8]]) -> String {
        var parser = RequestParser(limits: HeadLimits(target: 60, head: 250, fields: 6))
        var decoder: BodyDecoder?
        var body: [UInt8] = []
        do throws(RequestError) {
            for part in parts {
                var taken = 0
                if decoder == nil {
                    let result = try parser.consume(part.span)
                    taken = result.count
                    guard result.isComplete else { continue }
                    decoder = BodyDecoder(parser.head.framing, limit: 20)
                }
                let rest = Array(part[taken...])
                if try decoder?.decode(rest.span, into: &body).isComplete == true {
                    return "whole \(target(parser.head)) \(summary(parser.head)) \(body)"
                }
            }
        } catch {
            return "\(error)"
        }
        return "midway \(parser.isMidway) \(body)"
    }

    private func target(_ head: RequestHead) -> String {
        do throws(RequestError) {
            return "\(head.targetParts) \(try head.pathSegments())"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: 0..<8)
    func mutatedRequestsHaveOneOutcome(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var seen: [String: Int] = [:]
        for _ in 0..<250 {
            let request = Self.requests.randomElement(using: &random) ?? ""
            let bytes = mutated(request, using: &random)
            let whole = outcome(of: [bytes])
            seen[String(whole.prefix { $0 != " " }), default: 0] += 1
            var ways = [bytes.map { [$0] }]
            for _ in 0..<4 {
                let cut = Int.random(in: 0...bytes.count, using: &random)
                ways.append([Array(bytes[..<cut]), Array(bytes[cut...])])
            }
            for way in ways {
                #expect(outcome(of: way) == whole, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        // The changes are neither too mild nor too wild to show anything.
        #expect(seen["whole", default: 0] > 10)
        #expect(seen.count > 5)
    }

    @Test func mutatedRequestsEndTheHeadOnlyAtAnEmptyLine() {
        var random = SeededGenerator(seed: 99)
        var wholeCount = 0
        for _ in 0..<2000 {
            let request = Self.requests.randomElement(using: &random) ?? ""
            let bytes = mutated(request, using: &random)
            guard case .whole(_, let count) = HTTPWireTests.outcome(of: [bytes]) else { continue }
            wholeCount += 1
            #expect(bytes[..<count].suffix(4) == [13, 10, 13, 10])
            // Inside a head no carriage return and no line feed stands alone.
            let head = Array(bytes[..<count])
            for index in head.indices where head[index] == 13 {
                #expect(head[index + 1] == 10)
            }
            for index in head.indices where head[index] == 10 {
                #expect(head[index - 1] == 13)
            }
        }
        // Enough heads are still whole for that to mean something.
        #expect(wholeCount > 100)
    }
}
