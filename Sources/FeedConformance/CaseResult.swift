package import FeedModel

/// The result of a case.
package struct CaseResult: Sendable {
    /// The first step whose expectation the server did not fulfil.
    package struct Failure: Sendable, Equatable {
        /// The step's number, from 0.
        let step: Int
        /// The method and path of the step's request; `nil`: the step sends none.
        let request: String?
        let reason: String
    }

    let name: String
    let citations: [ConformanceCase.Citation]
    package let failure: Failure?
    /// Whether the case was cancelled before its end and so neither passed nor failed.
    package let wasStopped: Bool
    /// The feeds that could not be deleted afterwards, with the reasons.
    package let leftovers: [String]

    /// The result as lines of text, in which a server may have put line ends of its own.
    ///
    /// A failed case has the sentences of the protocol that it cites.
    package var lines: [String] {
        var lines: [String] = []
        if let failure {
            let request = failure.request.map { ", \($0)" } ?? ""
            lines = [
                "FAILED  \(name)", "        step \(failure.step)\(request)",
                "        \(failure.reason)",
            ]
            lines += citations.map { "        the protocol, “\($0.heading)”: \($0.quote)" }
        } else {
            lines = ["ok      \(name)"]
        }
        return lines + leftovers.map { "LEFT    \($0)" }
    }

    /// The result as JSON.
    package var json: JSONValue {
        var entries: [JSONValue.Entry] = []
        entries["name"] = .string(ExactString(name))
        entries["passed"] = .bool(failure == nil)
        if let failure {
            var members: [JSONValue.Entry] = []
            members["step"] = .number("\(failure.step)")
            members["request"] = failure.request.map { .string(ExactString($0)) }
            members["reason"] = .string(ExactString(failure.reason))
            entries["failure"] = .object(members)
        }
        entries["cites"] = .array(
            citations.map { citation in
                var members: [JSONValue.Entry] = []
                members["heading"] = .string(ExactString(citation.heading))
                members["quote"] = .string(ExactString(citation.quote))
                return .object(members)
            }
        )
        if !leftovers.isEmpty {
            entries["left"] = .array(leftovers.map { .string(ExactString($0)) })
        }
        return .object(entries)
    }
}
