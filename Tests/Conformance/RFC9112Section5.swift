import TestSupport
import Testing

/// RFC 9112 §5, RFC 9110 §5.
@Suite struct FieldLines {
    @Test(
        arguments: Subject.allCases,
        [
            "X:y", "X:  y", "X:\ty", "X: y ", "X: y \t ", "X:", "X: ", "x-Y_z!#$%&'*+.^`|~09: y",
            "X: é", "X: a\tb", "X: :", "X: \"unclosed", "X: (comment", "X: a, , b,", "1: 2",
            "X_Y: z",
            "Content_Length: 5", "Transfer_Encoding: chunked", "Content-Lengthx: 5", "X: \u{80}",
        ]
    )
    func fieldLinesThatAreWellFormedAreTaken(_ subject: Subject, _ line: String) throws {
        #expect(try subject.answer(Subject.get("/healthz", line + "\r\n")).status == 200)
    }

    @Test(
        arguments: Subject.allCases,
        [
            "X : y", "X\t: y", "X  : y", ": y", ":", " : y", "X", "X y", "X y: z", "X\ty: z",
            "\"X\": y",
            "X(: y", "X[]: y", "X{}: y", "X@: y", "X,Y: z", "X;: y", "X=: y", "X/: y", "X?: y",
            "X\\: y",
            "X<>: y", "É: y", "X\u{0}: y", "X\u{1}: y", "X\u{7f}: y", "X\u{a0}: y", "\u{200b}X: y",
            "X: a\u{0}b", "X: \u{0}", "X: a\u{1}b", "X: \u{7}\u{8}\u{b}", "X: a\u{b}b",
            "X: a\u{c}b",
            "X: a\u{1b}b", "X: a\u{1f}", "X: a\u{7f}b", "X: a\rb", "X: a\nb", "X: a\r", "X: a\n",
            "X: a\r\r", "\u{0}", "\r", "X: y\r\nY", "GET / HTTP/1.1", "X: a\0\r\nY: b",
            "Content-Length : 5",
            "Transfer-Encoding : chunked", "Transfer-Encoding\u{b}: chunked",
            "Content-\u{0}Length: 5",
        ]
    )
    func fieldLinesThatAreMalformedAreRefused(_ subject: Subject, _ line: String) throws {
        try subject.expectRefusal(Subject.get("/healthz", line + "\r\n"))
        try subject.expectRefusal("GET /healthz HTTP/1.1\r\n\(line)\r\nHost: h\r\n\r\n")
    }

    /// RFC 9112 §5.2.
    @Test(
        arguments: Subject.allCases,
        [
            "X: a\r\n b", "X: a\r\n\tb", "X: a\r\n  \r\n b", "X:\r\n a", "X: a\r\n ", "X: a\r\n\t",
            "Transfer-Encoding:\r\n chunked", "Content-Length:\r\n 5", "X: a\r\n Host: evil",
        ]
    )
    func fieldLinesAreNotFolded(_ subject: Subject, _ line: String) throws {
        try subject.expectRefusal(Subject.get("/healthz", line + "\r\n"))
    }

    /// RFC 9110 §5.4, RFC 6585 §5.
    @Test(arguments: Subject.allCases)
    func fieldLinesMayBeManyButNotAnyNumber(_ subject: Subject) throws {
        let lines = (0..<99).map { "X-\($0): y\r\n" }
        #expect(try subject.answer(Subject.get("/healthz", lines.joined())).status == 200)
        for count in [100, 1000, 10_000] {
            let lines = (0..<count).map { "X-\($0): y\r\n" }
            try subject.expectRefusal(Subject.get("/healthz", lines.joined()), 431)
        }
    }

    @Test(arguments: Subject.allCases)
    func fieldLinesMayBeLongButNotAnyLength(_ subject: Subject) throws {
        let fits = String(repeating: "v", count: 32_000)
        #expect(try subject.answer(Subject.get("/healthz", "X: \(fits)\r\n")).status == 200)
        for length in [50_000, 100_000, 1_000_000] {
            let long = String(repeating: "v", count: length)
            try subject.expectRefusal(Subject.get("/healthz", "X: \(long)\r\n"), 431)
            try subject.expectRefusal(Subject.get("/healthz", "\(long): y\r\n"), 431)
            try subject.expectRefusal(Subject.get("/healthz", "X: \(long)"), 431)
        }
    }
}
