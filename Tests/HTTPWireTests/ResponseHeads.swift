import HTTPTypes
import HTTPWire
import Testing

/// RFC 9112 §4.
@Suite struct ResponseHeads {
    private func encoded(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> String {
        var output = Array("before".utf8)
        ResponseHeadEncoder.append(status: status, fields: fields, to: &output)
        return String(decoding: output.dropFirst(6), as: UTF8.self)
    }

    @Test func responseHeadsHaveAStatusLineAndFieldsInOrder() throws {
        var fields = HTTPFields()
        fields[.eTag] = "\"a\""
        fields.append(HTTPField(name: .vary, value: "Accept"))
        fields.append(HTTPField(name: try #require(HTTPField.Name("X-y")), value: ""))
        fields.append(HTTPField(name: .vary, value: "Origin"))
        #expect(
            encoded(.ok, fields)
                == "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nVary: Accept\r\nX-y: \r\nVary: Origin\r\n"
        )
        #expect(encoded(.notModified) == "HTTP/1.1 304 Not Modified\r\n")
    }

    @Test func responseHeadsMayHaveNoReason() {
        #expect(encoded(.init(code: 226)) == "HTTP/1.1 226 \r\n")
        #expect(encoded(.init(code: 7)) == "HTTP/1.1 007 \r\n")
    }

    @Test(arguments: ["a\r\nX: y", "a\nX: y", "a\rX: y", "a\u{0}b", "a\r\n\r\nbody"])
    func responseHeadsAreNotSplitByAHandlersText(_ text: String) {
        let lenient = HTTPField(name: .location, lenientValue: Array(text.utf8))
        for field in [HTTPField(name: .location, value: text), lenient] {
            var fields = HTTPFields()
            fields.append(field)
            let head = encoded(.init(code: 299, reasonPhrase: text), fields)
            #expect(head.utf8.filter { $0 == 13 }.count == 2)
            #expect(head.utf8.filter { $0 == 10 }.count == 2)
            #expect(!head.utf8.contains(0))
            #expect(head.hasSuffix("\r\n"))
        }
    }

    @Test func responseHeadsKeepTextBeyondASCII() {
        #expect(encoded(.ok, [.location: "/é"]).hasSuffix("Location: /é\r\n"))
    }
}
