package import HTTPTypes
import Platform

/// Writes response heads (RFC 9112 §4).
package enum ResponseHeadEncoder {
    /// Appends the status line and `fields`, without the empty line that ends the head.
    ///
    /// CR, LF and NUL in a value or a reason become spaces, so that no handler's text can end a
    /// line (RFC 9110 §5.5).
    package static func append(
        status: HTTPResponse.Status,
        fields: HTTPFields,
        to output: inout [UInt8]
    ) {
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        // `HTTPResponse.Status` holds no code above 999.
        output.append(status.code, digits: 3, then: " ")
        appendText(status.reasonPhrase, to: &output)
        appendLineEnd(to: &output)
        append(fields: fields, to: &output)
    }

    /// Appends the field lines alone, with CR, LF and NUL in a value replaced by spaces.
    package static func append(fields: HTTPFields, to output: inout [UInt8]) {
        for field in fields {
            appendText(field.name.rawName, to: &output)
            output.append(.colon)
            output.append(.space)
            appendText(field.value, to: &output)
            appendLineEnd(to: &output)
        }
    }

    private static func appendLineEnd(to output: inout [UInt8]) {
        output.append(.carriageReturn)
        output.append(.lineFeed)
    }

    private static func appendText(_ text: String, to output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: text.utf8)
        for index in start..<output.count {
            switch output[index] {
            case .carriageReturn, .lineFeed, 0: output[index] = .space
            default: break
            }
        }
    }
}
