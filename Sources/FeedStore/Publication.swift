package import FeedModel

/// The result of a publish.
package struct Publication: Sendable {
    /// The version that was current before; `nil` if the feed is new.
    package let previous: Version?

    /// The version that is now current.
    ///
    /// It is the same object as `previous` if nothing changed, and one that is not kept after a dry
    /// run.
    package let current: Version

    /// The changes from `previous` to `current`; from an empty feed if there was none.
    package let changes: Changes

    /// The numbers of changed items and sections.
    package let counts: ChangeCounts

    /// Whether the publish made a new version.
    package var isChanged: Bool { previous !== current }
}
