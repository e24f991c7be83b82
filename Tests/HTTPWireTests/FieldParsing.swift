import HTTPWire
import TestSupport
import Testing

/// RFC 9112 §5 and RFC 9110 §5.
@Suite struct FieldParsing {
    @Test(arguments: [
        ("X: a", "X", "a"), ("X:a", "X", "a"), ("X: \t a b\t ", "X", "a b"), ("X:", "X", ""),
        ("X: ", "X", ""), ("x-Y_z!#$%&'*+.^`|~0: :", "x-Y_z!#$%&'*+.^`|~0", ":"),
        ("X: é\"(,;", "X", "é\"(,;"), ("X: a\tb", "X", "a\tb"), ("X: a: b", "X", "a: b"),
    ])
    func reads(_ line: String, as name: String, _ value: String) throws {
        let text = "GET / HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n"
        let head = try RequestHead(parsing: text)
        let field = try #require(head.fields.last)
        #expect(head.string(field.name) == name)
        #expect(head.string(field.value) == value)
        #expect(outcomes(of: Array(text.utf8)).deviating.isEmpty)
    }

    @Test(arguments: [
        "X : a\r\n", "X\t: a\r\n", " X: a\r\n", "\tX: a\r\n", ": a\r\n", "X\r\n", "X a: b\r\n",
        "X: a\n", "X: a\rb", "X: a\r\r\n", "X: a\u{0}", "X: a\u{7f}", "X: a\u{1}b", "X: \u{b}",
        "X\u{0}: a", "X(: a", "É: a", "X: a\r\n b\r\n", "X: a\r\n\tb\r\n", "\n", "\rX",
        "X\r: a", "X: a\r\n: b\r\n", "@: a", "\"X\": a", "X: \u{1b}[0m", "X;: a", "X: a\r\n\n",
        "If\rMatch: a", "Hos\u{14}: a", "If-Match : a",
        "Te\u{0}: a", "Expect\u{0}: a", "If-Match\u{0}: a", "Connection\u{0}: a", "\u{0}: a",
    ])
    func refusesWhatIsNoFieldLine(_ line: String) {
        let end = line.utf8.last == UInt8(ascii: "\n") ? "" : "\r\n"
        let (whole, deviating) = outcomes(
            of: Array("GET / HTTP/1.1\r\nHost: h\r\n\(line)\(end)".utf8)
        )
        #expect(whole == .refused(.invalidField))
        #expect(deviating.isEmpty)
    }

    @Test(arguments: KnownField.allCases.filter { $0 != .other })
    func tellsKnownFieldsApart(_ field: KnownField) throws {
        let values: [KnownField: String] = [
            .contentLength: "1", .transferEncoding: "chunked", .host: "h",
        ]
        let known = "\(field.name)"
        for name in [known, known.uppercased()] {
            let host = field == .host ? "" : "Host: h\r\n"
            let value = values[field, default: "1"]
            let text = "GET / HTTP/1.1\r\n\(host)\(name): \(value)\r\n\r\n"
            let head = try RequestHead(parsing: text)
            #expect(head.fields.last?.known == field)
            #expect(head.value(field) == value)
            #expect(head.value(named: name.lowercased()) == value)
        }
    }

    @Test(arguments: KnownField.allCases.filter { $0 != .other })
    func namesThatOnlyNearlyAreAFieldsAreOthers(_ field: KnownField) throws {
        let known = Array("\(field.name)".utf8)
        let names = Set(KnownField.allCases.map { "\($0.name)" })
        var close = [known.dropLast() + Array("zz".utf8), known + [UInt8(ascii: "s")]]
        for place in known.indices {
            for byte in "!-09AZ^_`az|~MNmn".utf8 {
                var name = known
                name[place] = byte
                close.append(name)
            }
        }
        for name in close {
            let name = String(decoding: name, as: UTF8.self)
            guard !names.contains(name.lowercased()) else { continue }
            // At the head's end, too, where there is less to read behind it.
            for rest in ["X: a value that is long enough\r\n", ""] {
                let text = "GET / HTTP/1.1\r\nHost: h\r\n\(name): 1\r\n\(rest)\r\n"
                #expect(try RequestHead(parsing: text).fields[1].known == .other)
            }
        }
    }

    @Test func joinsRepeatedFields() throws {
        let head = try RequestHead(
            parsing: "GET / HTTP/1.1\r\nHost: h\r\nAccept: a\r\nX: 1\r\naccept: b\r\nx: 2\r\n\r\n"
        )
        #expect(head.value(.accept) == "a, b")
        #expect(head.value(named: "X") == "1, 2")
        #expect(head.value(named: "Y") == nil)
        #expect(head.value(.cookie) == nil)
        #expect(head.has(.accept))
        #expect(!head.has(.cookie))
        #expect(head.first(.accept).map(head.string) == "a")
    }

    @Test func boundsTheNumberOfFields() {
        let limits = HeadLimits(fields: 2)
        let start = "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n"
        #expect(outcomes(of: Array((start + "\r\n").utf8), limits: limits).deviating.isEmpty)
        let (whole, deviating) = outcomes(of: Array((start + "C: d\r\n\r\n").utf8), limits: limits)
        #expect(whole == .refused(.tooManyFields(limit: 2)))
        #expect(deviating.isEmpty)
    }

    @Test(arguments: ["", "\r\n\r\n"])
    func boundsTheHead(_ lead: String) {
        let text = "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n"
        let fits = outcomes(
            of: Array((lead + text).utf8),
            limits: HeadLimits(head: text.utf8.count)
        )
        guard case .whole = fits.whole else {
            Issue.record("\(fits.whole)")
            return
        }
        #expect(fits.deviating.isEmpty)
        for limit in 0..<text.utf8.count {
            let (whole, deviating) = outcomes(
                of: Array((lead + text).utf8),
                limits: HeadLimits(head: limit)
            )
            #expect(whole == .refused(.headTooLarge(limit: limit)))
            #expect(deviating.isEmpty)
        }
    }
}
