import HTTPWire

/// What connections share in turn.
extension EventLoop {
    /// Answers with the parser that is lent to nobody; it has what is left, if anything.
    func answerAtOnce(
        _ input: Span<UInt8>,
        in lane: inout AtOnce,
        on transport: borrowing Transport
    ) -> AtOnce.Rest {
        guard logsAccess else {
            var nobody: AccessRecorder?
            return lane.answer(input, handler: settings.handler, &desk, &nobody, on: transport)
        }
        return lane.answer(input, handler: settings.handler, &desk, &access, on: transport)
    }

    /// Gives a connection that begins to read a parser with storage.
    func lend(_ parser: inout RequestParser) {
        swap(&parser, &desk.parser)
    }

    /// Takes the storage back, so that idle connections have none.
    func takeBack(_ parser: inout RequestParser) {
        parser.reset()
        parser.limits = settings.limits.head
        desk.parser = parser
        parser.releaseStorage()
    }
}
