import FeedModel
import HTTPServer
import Logging
import TestSupport
import Testing

@testable import freshet

@Suite struct LogLines {
    private func line(
        _ message: String,
        _ members: [(String, Logger.MetadataValue)] = []
    ) -> LogLine {
        LogLine(
            nanoseconds: 1_709_251_199_000_001_000,
            level: .warning,
            label: "freshet",
            message: message,
            members: members
        )
    }

    @Test func logLinesAreTextForPeople() {
        let entry = line("a \"b\"\nc", [("n", .stringConvertible(1)), ("s", "\"y\"\r")])
        let bytes = entry.bytes(.text)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                2024-02-29T23:59:59.000001Z warning freshet: a "b"\\x0Ac n="1" s="\\x22y\\x22\\x0D"

                """
        )
    }

    @Test func logLinesAreJSONForPrograms() throws {
        let entry = line("a \"b\"\nc\u{1B}", [("n", "é\n"), ("i", .stringConvertible(-12))])
        let bytes = entry.bytes(.json)
        #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let json = try #require(TestJSON(Array(bytes.dropLast())))
        #expect(json["time"]?.string == "2024-02-29T23:59:59.000001Z")
        #expect(json["level"]?.string == "warning")
        #expect(json["logger"]?.string == "freshet")
        #expect(json["message"]?.string == "a \"b\"\nc\u{1B}")
        #expect(json["n"]?.string == "é\n")
        #expect(json["i"] == .number("-12"))
    }

    @Test(arguments: [
        (Logger.MetadataValue.stringConvertible(7), "7"),
        (.stringConvertible(UInt64.max), "18446744073709551615"),
        ("7", "\"7\""), (.stringConvertible("7"), "\"7\""),
    ])
    func numbersStayNumbers(_ value: Logger.MetadataValue, _ written: String) {
        let text = String(decoding: line("a", [("n", value)]).bytes(.json), as: UTF8.self)
        #expect(text.hasSuffix(",\"n\":\(written)}\n"))
    }

    @Test func logLinesDependOnALevelThatCanChange() {
        let output = LogOutput(.text, level: .warning, descriptor: -1)
        var logger = output.logger("a")
        #expect(logger.logLevel == .warning)
        output.level = .debug
        #expect(logger.logLevel == .debug)
        logger.logLevel = .error
        #expect(output.logger("b").logLevel == .debug)
        #expect(logger.logLevel == .error)
    }
}
