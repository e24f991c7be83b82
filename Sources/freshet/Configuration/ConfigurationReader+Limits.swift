import HTTPServer
import HTTPWire
import Yams

/// The settings under `limits`.
extension ConfigurationReader {
    static let limitNames = [
        LimitSetting.bodySize.name, LimitSetting.feedItems.name, LimitSetting.connections.name,
        LimitSetting.targetSize.name, LimitSetting.headSize.name, LimitSetting.headFields.name,
        LimitSetting.headTime.name, LimitSetting.idleTime.name, LimitSetting.progressTime.name,
        LimitSetting.stopTime.name,
    ]

    mutating func readLimits(_ node: Node) {
        let path = "limits"
        guard let entries = entries(node, path, known: Self.limitNames) else { return }
        file.limits.bodyByteCount = value(LimitSetting.bodySize, entries, in: path)
        file.limits.itemCount = value(LimitSetting.feedItems, entries, in: path)
        file.limits.connectionCount = value(LimitSetting.connections, entries, in: path)
        file.limits.targetByteCount = value(LimitSetting.targetSize, entries, in: path)
        file.limits.headByteCount = value(LimitSetting.headSize, entries, in: path)
        file.limits.headFieldCount = value(LimitSetting.headFields, entries, in: path)
        file.limits.headTime = value(LimitSetting.headTime, entries, in: path)
        file.limits.idleTime = value(LimitSetting.idleTime, entries, in: path)
        file.limits.progressTime = value(LimitSetting.progressTime, entries, in: path)
        file.limits.stopTime = value(LimitSetting.stopTime, entries, in: path)
        checkHead(node, entries)
    }

    /// Reports a limit on targets that is not below the limit on heads; a target is a part of the
    /// head.
    private mutating func checkHead(_ node: Node, _ entries: Entries) {
        let usual = ServerLimits().head
        let target = file.limits.targetByteCount ?? usual.targetByteLimit
        let head = file.limits.headByteCount ?? usual.headByteLimit
        guard target >= head else { return }
        let name = entries["target-size"] == nil ? "head-size" : "target-size"
        let sizes = "\(ByteCountText.text(target)) does not fit into a head"
        report(
            entries[name]?.mark,
            "limits.\(name)",
            "a target of \(sizes) of \(ByteCountText.text(head))"
        )
    }
}
