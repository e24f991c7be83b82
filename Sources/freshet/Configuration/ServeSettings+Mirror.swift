import FeedAPI
import FeedModel

/// The server that is followed.
extension ServeSettings {
    /// - Throws: ``CommandFailure`` where there is a server to follow and no key, or a key and no
    ///   server.
    static func mirror(
        _ options: Options,
        _ environment: Environment,
        _ file: ConfigurationFile
    ) throws(CommandFailure) -> Mirror? {
        let key = try environment.value(
            ServeSetting.mirrorKey,
            options.mirrorKey,
            file.mirrorKey
        )
        guard let origin = try origin(options, environment, file) else {
            guard key == nil else {
                throw .usage(
                    "--mirror-key (FRESHET_MIRROR_KEY, mirror-key) does nothing without --mirror "
                        + "(FRESHET_MIRROR, mirror), the server to follow"
                )
            }
            return nil
        }
        guard let key, KeyText.canBeSent(key) else {
            throw .usage("following takes a key of the server that is followed: --mirror-key")
        }
        let patterns = options.mirrorFeeds.isEmpty ? file.mirrorFeeds?.map(\.text) : nil
        for pattern in options.mirrorFeeds where FeedPattern(pattern) == nil {
            throw .usage("--mirror-feeds \"\(pattern)\" is no feed's name, with * for anything")
        }
        return Mirror(
            origin: origin,
            key: key,
            patterns: patterns ?? (options.mirrorFeeds.isEmpty ? ["*"] : options.mirrorFeeds),
            authorities: environment.value("cacert")
        )
    }

    /// Reads the origin. The option is read here because the library that reads options would
    /// repeat a wrong value, with the password that it may have.
    private static func origin(
        _ options: Options,
        _ environment: Environment,
        _ file: ConfigurationFile
    ) throws(CommandFailure) -> String? {
        var given: String?
        if let text = options.mirror {
            do throws(InvalidSetting) {
                given = try ServeSetting.mirror.value(text)
            } catch {
                throw .usage("--mirror \(error.reason)")
            }
        }
        return try environment.value(ServeSetting.mirror, given, file.mirror)
    }
}
