import HTTPWire

/// What a loop lends to its connections, one at a time.
extension EventLoop {
    /// Answers requests with the loop's own parser. A request that was not answered stays in that
    /// parser.
    func answerInPlace(
        _ input: Span<UInt8>,
        on path: inout FastPath
    ) -> FastPath.Rest {
        guard logsAccess else {
            var nobody: AccessRecorder?
            return path.answer(input, by: settings, &scratch, &nobody)
        }
        return path.answer(input, by: settings, &scratch, &access)
    }

    /// Gives a connection that begins to read a parser with storage.
    func lend(_ parser: inout RequestParser) {
        swap(&parser, &scratch.parser)
    }

    /// Takes the storage back, so that idle connections have none.
    func takeBack(_ parser: inout RequestParser) {
        parser.reset()
        parser.limits = settings.limits.head
        swap(&parser, &scratch.parser)
        parser.releaseStorage()
        parser.limits = settings.limits.head
    }
}
