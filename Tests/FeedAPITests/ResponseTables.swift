import FeedFormats
import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// Where the responses about a version are found by numbers.
@Suite struct ResponseTables {
    private static func document(_ number: Int) -> Payload {
        let body = Array("\(number)".utf8)
        return Payload(Response(status: .ok, body: .bytes(body)))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func hasWhatADictionaryAndAnOrderHave(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = ResponseTable()
        var (model, order): ([UInt64: Int], [UInt64]) = ([:], [])
        // Codes whose low bits, or high ones, are the same.
        let codes = (1...40).map { UInt64($0) << (seed % 3 * 28) | 1 << 60 }
        for step in 0..<600 {
            let code = codes.randomElement(using: &random) ?? 1
            if model[code] == nil, order.count < 30 {
                table.add(Self.document(step), code)
                model[code] = step
                order.append(code)
            } else if !order.isEmpty {
                let oldest = order.removeFirst()
                let number = model.removeValue(forKey: oldest)
                #expect(table.removeOldest()?.body == number.map { Array("\($0)".utf8) })
            }
            #expect(table.count == order.count)
            for code in codes {
                #expect(table[code]?.body == model[code].map { Array("\($0)".utf8) })
            }
        }
        while !order.isEmpty {
            order.removeFirst()
            #expect(table.removeOldest() != nil)
        }
        #expect(table.removeOldest() == nil)
    }

    @Test func differentKeysHaveDifferentCodes() {
        let kinds: [ResponseKey.Kind] =
            [
                .snapshot, .snapshotForEpoch, .snapshotForExpired, .unchanged, .outline,
                .patch(since: 0), .patch(since: 0, atAnyLength: true),
            ]
            + (1...9).flatMap { version -> [ResponseKey.Kind] in
                [
                    .changes(since: version), .changes(since: version, atAnyLength: true),
                    .patch(since: version), .patch(since: version, atAnyLength: true),
                ]
            }
            + SyndicationFormat.allCases.flatMap { format -> [ResponseKey.Kind] in
                let stamps: [Syndication.Stamp] = [
                    .init(check: 0, isDated: false), .init(check: 0, isDated: true),
                    .init(check: .max, isDated: false), .init(check: .max, isDated: true),
                ]
                return stamps.map { stamp in
                    .syndication(Syndication(format: format, page: SyndicationPage(), stamp: stamp))
                }
            }
            + [true, false].flatMap { isUnchanged in
                [true, false].map { canWait in
                    .notModified(.init(isUnchanged: isUnchanged, canWait: canWait))
                }
            }
        var seen: [UInt64: ResponseKey] = [:]
        for kind in kinds {
            for coding in ContentCoding.allCases {
                for isForced in [true, false] {
                    for form: ResponseKey.Form in [.response, .gzipPart, .event, .gzipEvent] {
                        let choice = CodingChoice(coding, isForced: isForced)
                        let key = ResponseKey(kind: kind, coding: choice, form: form)
                        guard let code = key.code else {
                            Issue.record("\(key) has no code")
                            continue
                        }
                        #expect(code != 0)
                        #expect(seen.updateValue(key, forKey: code) == nil)
                    }
                }
            }
        }
    }

    @Test func whatAnybodyCanAskAnyNumberOfHasNoCode() {
        let page = RowPage(section: nil, offset: 0, limit: nil, rest: nil)
        #expect(ResponseKey(kind: .rows(page)).code == nil)
        #expect(ResponseKey(kind: .item("a")).code == nil)
        #expect(ResponseKey(kind: .items([])).code == nil)
        #expect(ResponseKey(kind: .snapshot, view: FeedView(limit: 5)).code == nil)
        #expect(ResponseKey(kind: .snapshot, waitMark: .init(preferred: nil)).code == nil)
    }
}
