import HTTPWire

/// Every way of cutting has one outcome, and a body is whole where a naive reader says so.
enum ChunkChecks {
    private static let limit = 1000

    private enum Outcome: Equatable {
        case whole(body: [UInt8], count: Int)
        case waiting(body: [UInt8])
        case refused(RequestError)
    }

    static func run(_ input: [UInt8]) throws(Finding) {
        let whole = outcome(of: [input])
        for parts in input.cuttings {
            let other = outcome(of: parts)
            try require(other == whole, "\(other) rather than \(whole)")
        }
        let naive = NaiveChunks.decode(input, limit: limit)
        if case .whole(let body, let count) = whole {
            try require(naive?.body == body && naive?.count == count, "not that body: \(body.text)")
        } else {
            try require(naive == nil, "refused, or waited for more: \(input.text)")
        }
    }

    private static func outcome(of parts: [[UInt8]]) -> Outcome {
        var decoder = BodyDecoder(.chunked, limit: limit)
        var body: [UInt8] = []
        var taken = 0
        do throws(RequestError) {
            for part in parts {
                let (count, isComplete) = try decoder.decode(part.span, into: &body)
                taken += count
                if isComplete { return .whole(body: body, count: taken) }
            }
        } catch {
            return .refused(error)
        }
        return .waiting(body: body)
    }
}
