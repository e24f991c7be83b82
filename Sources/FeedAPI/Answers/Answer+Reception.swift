import HTTPServer
import HTTPTypes

extension Answer {
    /// The same, at once.
    var reception: Reception {
        switch self {
        case .response(let response): .answer(response)
        case .baked(let baked): .baked(baked)
        }
    }

    /// The same as an answer for one request, which the engine may refuse when readers who do not
    /// take theirs hold too much.
    var own: Answer {
        guard case .baked(let baked) = self else { return self }
        var response = baked.response
        response.fields[.contentLength] = nil
        return .response(response)
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
