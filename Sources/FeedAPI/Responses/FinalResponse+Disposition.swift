import HTTPServer
import HTTPTypes

extension FinalResponse {
    /// The same, at once.
    var disposition: Disposition {
        switch self {
        case .response(let response): .response(response)
        case .cached(let cached, let completion): .cached(cached, completion)
        }
    }

    /// The same as an answer for one request, which the engine may refuse when readers who do not
    /// take theirs hold too much.
    var own: FinalResponse {
        guard case .cached(let cached, let completion) = self else { return self }
        var response = cached.response(completion)
        response.fields[.contentLength] = nil
        return .response(response)
    }
}
