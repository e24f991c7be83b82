import HTTPServer
import HTTPTypes

extension Reception {
    /// The same, saying that it was held (docs/PROTOCOL.md, "Waiting for the next change").
    ///
    /// - Parameters:
    ///   - hold: What was asked for.
    ///   - atHand: Where what many wait for is kept as it is said to them.
    /// - Returns: An answer for the one who has waited.
    func marked(_ hold: Hold, _ atHand: AnswersAtHand? = nil) -> Reception {
        switch self {
        case .answer(let response): .answer(response.marked(hold))
        case .baked(let baked): .baked(atHand?.held(baked, hold) ?? baked.marked(hold))
        case .later(let handOver):
            .later { responder in
                handOver(
                    Responder(sending: { answer in
                        switch answer {
                        case .response(let response): responder(response.marked(hold))
                        case .baked(let baked):
                            responder(atHand?.held(baked, hold) ?? baked.marked(hold))
                        }
                    })
                )
            }
        case .wait, .body: self
        }
    }
}

extension Response {
    /// An error says `no-store` anyway, and that no preference was applied by saying nothing.
    fileprivate func marked(_ hold: Hold) -> Response {
        guard status.code < 400 else { return self }
        var response = self
        hold.mark(&response.fields)
        return response
    }
}

extension BakedResponse {
    /// The same, saying that it was held.
    func marked(_ hold: Hold) -> BakedResponse {
        var fields = HTTPFields()
        hold.mark(&fields)
        return replacing(fields)
    }
}
