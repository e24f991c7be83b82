import HTTPTypes

extension HTTPField.Name {
    /// RFC 5789 §3.1.
    static let acceptPatch = known("Accept-Patch")
    /// RFC 8288 §3.
    static let link = known("Link")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is no field's name")
        }
        return name
    }
}
