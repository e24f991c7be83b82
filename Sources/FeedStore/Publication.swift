package import FeedModel

/// What a publish did.
package struct Publication: Sendable {
    /// The version that was current before; `nil` when the feed is new.
    package let previous: Version?

    /// The version now current: the same object as `previous` when nothing changed, and one that
    /// is not kept when this was a dry run.
    package let current: Version

    /// What led from the one to the other, from an empty feed when there was none.
    package let changes: Changes

    /// What the changes come to.
    package let counts: ChangeCounts

    /// Whether it made a version.
    package var isChanged: Bool { previous !== current }
}
