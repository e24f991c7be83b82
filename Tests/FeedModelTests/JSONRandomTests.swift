import FeedModel
import Foundation
import TestSupport
import Testing

@Suite struct RandomJSONReading {
    @Test(arguments: UInt64(0)..<20)
    func readsEverySpellingAsTheSameValue(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<50 {
            let value = random.value()
            let written = value.text
            for _ in 0..<4 {
                let bytes = Array(random.spelling(of: value).utf8)
                let text = try JSONText(parsing: bytes)
                #expect(text == written)
                #expect(text.valueHash == written.valueHash)
                #expect(try JSONValue(parsing: bytes) == value)
                #expect(try JSONText(parsing: text.bytes).bytes == text.bytes)
            }
        }
    }

    @Test(arguments: UInt64(100)..<110)
    func tellsDifferentValuesApart(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let values = (0..<60).map { _ in random.value(depth: 2) }
        let models = values.map(canonical)
        let texts = values.map(\.text)
        for left in values.indices {
            for right in values.indices {
                let areSame = models[left] == models[right]
                #expect((values[left] == values[right]) == areSame)
                #expect((texts[left] == texts[right]) == areSame)
                #expect((texts[left].valueHash == texts[right].valueHash) == areSame)
            }
        }
    }

    /// A naive model: the value's text with members in order of their names.
    private func canonical(_ value: JSONValue) -> [UInt8] {
        func sorted(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let elements): .array(elements.map(sorted))
            case .object(let entries):
                .object(
                    entries.sorted { $0.name < $1.name }
                        .map { JSONValue.Entry(name: $0.name, value: sorted($0.value)) }
                )
            default: value
            }
        }
        return sorted(value).text.bytes
    }

    /// Compares where the rules are the same.
    ///
    /// JSONSerialization differs in that it takes UTF-16 and
    /// UTF-32 and a byte order mark, members that stand twice, a NUL at the end, and a comma with
    /// white space before a closing bracket; and that it refuses numbers which a Double cannot
    /// hold. Mutations that come to that are left out.
    @Test(arguments: UInt64(200)..<230)
    func agreesWithFoundationOnWhatIsValid(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var counts = [true: 0, false: 0]
        for _ in 0..<100 {
            let bytes = Array(random.spelling(of: random.value()).utf8)
            for mutated in [bytes] + (0..<4).map({ _ in random.mutation(of: bytes) }) {
                let isValid = isValid(mutated)
                if case .some(let other) = isValidForFoundation(mutated) {
                    let text = String(decoding: mutated, as: UTF8.self)
                    #expect(isValid == other, "\(text.debugDescription)")
                    counts[isValid, default: 0] += 1
                }
            }
        }
        #expect(counts[true, default: 0] > 100 && counts[false, default: 0] > 100)
    }

    private func isValid(_ bytes: [UInt8]) -> Bool {
        (try? JSONText(parsing: bytes)) != nil
    }

    /// `nil` where its rules are others.
    private func isValidForFoundation(_ bytes: [UInt8]) -> Bool? {
        if bytes.prefix(4).contains(0) || bytes.last == 0 { return nil }
        if bytes.prefix(2).contains(where: { $0 >= 0xef }) { return nil }
        do throws(DocumentError) {
            _ = try JSONText(parsing: bytes)
        } catch {
            let others = ["twice", "the name of a member, found “}”", "a value, found “]”"]
            if others.contains(where: error.reason.contains) { return nil }
        }
        let data = Data(bytes)
        let options: JSONSerialization.ReadingOptions = [.fragmentsAllowed]
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: options)
            return true
        } catch {
            let reason = "\(error)"
            return reason.contains("is not representable") ? nil : false
        }
    }

    @Test(arguments: UInt64(300)..<310)
    func mutationsNeverTrap(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let items = #"{"id":"a","kind":"k","x":[1,{"y":"é😀\u00e9"}]},{"id":"b"}"#
        let documents = [
            "{\"title\":\"T\",\"sections\":[{\"id\":\"s\",\"items\":[\(items)]}],\"maxAge\":3}",
            "{\"items\":[\(items)],\"collate\":{\"by\":\"x\",\"locale\":\"ko\"}}",
        ]
        for document in documents {
            for _ in 0..<500 {
                let bytes = random.mutation(of: Array(document.utf8))
                _ = try? Snapshot(parsing: bytes)
                _ = try? FeedItem(parsing: bytes)
                _ = try? JSONValue(parsing: bytes)
            }
        }
    }
}
