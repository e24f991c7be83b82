/// The ways in which the same bytes may arrive: whole, byte by byte, and in two parts cut at
/// every index.
package func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    var ways = [[bytes], bytes.map { [$0] }]
    for index in bytes.indices.dropFirst() {
        ways.append([Array(bytes[..<index]), Array(bytes[index...])])
    }
    return ways
}
