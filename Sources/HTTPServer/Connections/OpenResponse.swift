/// A response that goes on for as long as something may change: a long poll, or a stream.
enum OpenResponse {
    case none
    /// An answer that is held until there is something to say.
    case longPoll(LongPoll, end: LoopTime)
    /// - end: When it is ended, if it is to be.
    case stream(any ResponseStream, end: LoopTime?)

    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    var longPoll: LongPoll? {
        if case .longPoll(let longPoll, _) = self { longPoll } else { nil }
    }

    var stream: (any ResponseStream)? {
        if case .stream(let stream, _) = self { stream } else { nil }
    }

    /// When it ends; `nil` where it is not to.
    var end: LoopTime? {
        switch self {
        case .none: nil
        case .longPoll(_, let end): end
        case .stream(_, let end): end
        }
    }

    /// About the bytes of memory that it keeps.
    var byteCount: Int {
        switch self {
        case .none: 0
        case .longPoll(let longPoll, _): longPoll.byteCount
        case .stream(let stream, _): stream.byteCount
        }
    }
}
