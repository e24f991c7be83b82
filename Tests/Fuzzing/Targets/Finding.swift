/// Something that must not be.
package struct Finding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws unless `condition` holds.
func require(
    _ condition: Bool,
    _ statement: @autoclosure () -> String
) throws(Finding) {
    guard condition else { throw Finding(statement()) }
}
