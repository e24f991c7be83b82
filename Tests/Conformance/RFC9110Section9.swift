import TestSupport
import Testing

/// RFC 9110 §9.
@Suite struct Methods {
    /// §9.3.2: all the fields of GET, and no content, on a connection that goes on.
    @Test(
        arguments: Subject.allCases,
        ["/healthz", "/problems/nothing", "/feeds/conformance?since=x"]
    )
    func headIsGetWithoutContent(_ subject: Subject, _ target: String) throws {
        let get = try subject.answer(Subject.get(target))
        let text = "HEAD \(target) HTTP/1.1\r\nHost: example.org\r\n\r\n"
        let head = try subject.answer(text, isHead: true)
        #expect(head.status == get.status)
        let names = get.fields.map(\.name).filter { $0 != "date" }
        for name in names { #expect(head.values(name) == get.values(name)) }
        #expect(head.fields.count == get.fields.count)
    }

    /// §15.5.6: what is not allowed names what is.
    @Test(arguments: Subject.allCases, ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
    func methodsThatAreNotAllowedNameThoseThatAre(_ subject: Subject, _ method: String) throws {
        let answer = try subject.answer("\(method) /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.status == 405)
        let allow = try #require(answer["allow"])
        #expect(allow.contains("GET") && allow.contains("HEAD") && !allow.contains(method))
    }

    /// §9.3.7.
    @Test(arguments: Subject.allCases, ["/healthz", "*"])
    func methodsAreToldByOptions(_ subject: Subject, _ target: String) throws {
        let answer = try subject.answer("OPTIONS \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.status == 204)
        #expect(answer["allow"]?.contains("GET") == true)
        #expect(answer["content-length"] == nil)
    }

    /// §9.3.8: no request is sent back to whoever sent it.
    @Test(arguments: Subject.allCases)
    func traceTellsNothing(_ subject: Subject) throws {
        let answer = try subject.answer(
            "TRACE /healthz HTTP/1.1\r\nHost: h\r\nCookie: secret\r\nContent-Length: 5\r\n\r\nhello"
        )
        #expect(answer.status == 405)
        #expect(!answer.text.contains("secret"))
    }
}
