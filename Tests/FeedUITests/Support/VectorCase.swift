import FeedModel
import Foundation
import TestSupport
import Testing

/// A case of `docs/ui-vectors`, whose README says what its members mean.
struct VectorCase: CustomTestStringConvertible, Sendable {
    let file: String
    let json: TestJSON

    var name: String { json["name"]?.string ?? "" }
    var testDescription: String { "\(file): \(name)" }

    static func cases(_ files: String...) throws -> [VectorCase] {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../../docs/ui-vectors")
        return try files.flatMap { file in
            let url = folder.appendingPathComponent(file + ".json")
            let json = try #require(TestJSON(Array(try Data(contentsOf: url))))
            let cases = json["cases"]?.list ?? []
            try #require(!cases.isEmpty)
            return cases.map { VectorCase(file: file, json: $0) }
        }
    }
}

/// A section of a case: its rows with ranges spelled out.
struct VectorSection: Equatable {
    let id: String
    let title: String?
    let rows: [String]

    static func list(_ json: TestJSON?) -> [VectorSection] {
        (json?.list ?? []).map { section in
            VectorSection(
                id: section["id"]?.string ?? "",
                title: section["title"]?.string,
                rows: names(section["rows"])
            )
        }
    }

    /// `["A0..A2", "x"]` is `["A0", "A1", "A2", "x"]`.
    static func names(_ json: TestJSON?) -> [String] {
        (json?.list ?? []).compactMap(\.string).flatMap { name -> [String] in
            guard let dots = name.range(of: "..") else { return [name] }
            let (first, last) = (name[..<dots.lowerBound], name[dots.upperBound...])
            let prefix = first.prefix { !$0.isNumber }
            guard let from = Int(first.dropFirst(prefix.count)),
                let to = Int(last.dropFirst(prefix.count))
            else { return [name] }
            return (from...to).map { "\(prefix)\($0)" }
        }
    }
}

extension TestJSON {
    var number: Double? {
        if case .number(let digits) = self { Double(digits) } else { nil }
    }

    var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    var isNull: Bool { self == .null }

    var point: CGPoint? {
        guard list.count == 2, let x = list[0].number, let y = list[1].number else { return nil }
        return CGPoint(x: x, y: y)
    }

    var size: CGSize? {
        point.map { CGSize(width: $0.x, height: $0.y) }
    }

    var rect: CGRect? {
        let numbers = list.compactMap(\.number)
        guard numbers.count == 4 else { return nil }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    var path: IndexPath? {
        guard let parts = string?.split(separator: ".").compactMap({ Int($0) }), parts.count == 2
        else { return nil }
        return [parts[0], parts[1]]
    }

    var strings: [String] { list.compactMap(\.string) }

    /// Whether a value meets this expectation, as the README says.
    func isMet(by value: TestJSON) -> Bool {
        switch (self, value) {
        case (.number(let expected), .number(let actual)):
            guard let expected = Double(expected), let actual = Double(actual) else { return false }
            return abs(expected - actual) <= 0.5
        case (.object(let bounds), .number(let actual)):
            guard let actual = Double(actual) else { return false }
            let least = bounds["min"]?.number ?? -.infinity
            let most = bounds["max"]?.number ?? .infinity
            return least - 0.5...most + 0.5 ~= actual
        case (.array(let expected), .array(let actual)):
            return expected.count == actual.count
                && zip(expected, actual).allSatisfy { $0.isNull || $0.isMet(by: $1) }
        default: return self == value
        }
    }

    static func number(_ value: Double) -> TestJSON { .number("\(value)") }
    static func number(_ value: Int) -> TestJSON { .number("\(value)") }
    static func strings(_ values: some Sequence<String>) -> TestJSON {
        .array(values.map { .string(.init($0)) })
    }
    static func text(_ value: String?) -> TestJSON { value.map { .string(.init($0)) } ?? .null }
    static func point(_ value: CGPoint) -> TestJSON { [.number(value.x), .number(value.y)] }
    static func path(_ value: IndexPath?) -> TestJSON {
        text(value.map { "\($0[0]).\($0[1])" })
    }
}
