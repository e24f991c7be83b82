import CLoad
import Foundation

extension Server {
    /// Calls a function in C with this server and a request to it.
    func withTarget<Result>(
        _ request: [UInt8],
        _ body: (UnsafePointer<load_target>) throws -> Result
    ) rethrows -> Result {
        try request.withUnsafeBytes { bytes in
            var target = load_target(
                port: CInt(port),
                secure: isSecure,
                request: bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                request_size: bytes.count
            )
            return try withUnsafePointer(to: &target, body)
        }
    }

    /// Sends a request.
    ///
    /// - Throws: ``Failure`` when there is no answer, or one with a status of failure.
    func exchange(_ request: Request, patience: Double = 60) throws -> Answer {
        let answer = try answer(to: request, patience: patience)
        guard 200..<400 ~= answer.status else {
            let body = String(decoding: answer.body.prefix(300), as: UTF8.self)
            throw Failure("\(name): \(request.method) \(request.target): \(answer.status) \(body)")
        }
        return answer
    }

    /// Sends a request, and returns the answer whatever its status is.
    ///
    /// - Throws: ``Failure`` when there is no answer.
    func answer(to request: Request, patience: Double = 60) throws -> Answer {
        var fault = Fault()
        var size = 0
        let bytes = withTarget(request.bytes) { target in
            fault.withBytes { load_exchange(target, patience, &size, $0) }
        }
        guard let bytes else { throw Failure("\(name): \(fault.text)") }
        return Answer(Data(bytesNoCopy: bytes, count: size, deallocator: .free))
    }
}

/// A fault in words, written by C.
struct Fault {
    private var bytes = [CChar](repeating: 0, count: Int(FAULT_SIZE))

    mutating func withBytes<Result>(
        _ body: (UnsafeMutablePointer<CChar>?) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeMutableBufferPointer { try body($0.baseAddress) }
    }

    var text: String {
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
