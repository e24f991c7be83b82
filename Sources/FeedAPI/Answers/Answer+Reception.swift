import HTTPServer

extension Answer {
    /// The same, at once.
    var reception: Reception {
        switch self {
        case .response(let response): .answer(response)
        case .baked(let baked): .baked(baked)
        }
    }
}

extension Responder {
    /// Answers with either kind.
    func callAsFunction(_ answer: Answer) {
        switch answer {
        case .response(let response): self(response)
        case .baked(let baked): self(baked)
        }
    }
}
