import HTTPWire
import TestSupport

/// What a parser said about some bytes, in a form that can be compared.
enum HeadOutcome: Equatable {
    case whole(head: String, count: Int)
    case midway
    case refused(RequestError)
}

/// Gives `parts` to a parser one after the other, as a socket would.
func outcome(of parts: [[UInt8]], limits: HeadLimits = HeadLimits()) -> HeadOutcome {
    var parser = RequestParser(limits: limits)
    var count = 0
    do throws(RequestError) {
        for part in parts {
            let result = try parser.consume(part.span)
            count += result.count
            if result.isComplete { return .whole(head: summary(parser.head), count: count) }
        }
    } catch {
        return .refused(error)
    }
    return .midway
}

/// Everything that a head says.
func summary(_ head: RequestHead) -> String {
    var lines = [
        "\(head.method) \(head.string(head.target)) \(head.version) \(head.framing)",
        "persistent \(head.isPersistent) continue \(head.expectsContinue)",
        "unknown \(head.hasUnknownExpectation)",
    ]
    for field in head.fields {
        lines.append("\(field.known) \(head.string(field.name))=\(head.string(field.value))")
    }
    return lines.joined(separator: "\n") + "\n" + String(decoding: head.bytes, as: UTF8.self)
}

/// The outcome of `bytes`, and each way of cutting them that has another one.
func outcomes(
    of bytes: [UInt8],
    limits: HeadLimits = HeadLimits()
) -> (whole: HeadOutcome, deviating: [[[UInt8]]]) {
    let whole = outcome(of: [bytes], limits: limits)
    let deviating = cuts(of: bytes).filter { outcome(of: $0, limits: limits) != whole }
    return (whole, deviating)
}

extension HeadLimits {
    /// Limits for tests that pass them.
    init(target: Int = 24 << 10, head: Int = 48 << 10, fields: Int = 100) {
        self.init()
        targetByteLimit = target
        headByteLimit = head
        fieldLimit = fields
    }
}
