import FeedModel
import Foundation
import HTTPClient
import HTTPTypes

extension CaseNames {
    /// Compares the head of an answer with the members `status` and `fields`.
    mutating func match(
        _ head: HTTPClient.Response.Head,
        _ expected: JSONValue
    ) throws(CaseFailure) {
        guard let status = expected["status"]?.integer, status == head.status else {
            let wanted = expected["status"]?.spelled ?? "told"
            throw CaseFailure("status: is \(head.status), not \(wanted)")
        }
        for entry in expected["fields"]?.entries ?? [] {
            let name = entry.name.string
            let values = HTTPField.Name(name).map { head.fields[values: $0] } ?? []
            let value = values.isEmpty ? nil : values.joined(separator: ", ")
            try matchField(name, value, entry.value)
        }
    }

    private mutating func matchField(
        _ name: String,
        _ actual: String?,
        _ expected: JSONValue
    ) throws(CaseFailure) {
        if expected.isNull {
            if let actual { throw CaseFailure("\(name): is there: \(actual)") }
            return
        }
        guard let actual else { throw CaseFailure("\(name): is not there") }
        if let list = expected["$list"]?.elements {
            let parts = actual.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            for part in list.compactMap(\.string) {
                guard parts.contains(try filled(part).lowercased()) else {
                    throw CaseFailure("\(name): is \(actual), without \(part)")
                }
            }
        } else if let bounds = expected["$number"] {
            let isNumber = actual.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            try matchNumber(bounds, isNumber ? actual : nil, at: name)
        } else {
            try match(expected, .string(ExactString(actual)), at: name)
        }
    }
}
