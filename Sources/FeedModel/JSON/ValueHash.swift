/// A keyed hash of JSON values: equal values have equal hashes, whatever the order of members
/// and the escapes of strings; a number is hashed as spelled.
///
/// The keys are drawn once a process, so nobody outside can prepare values that collide. Two
/// equal hashes still prove nothing: whoever finds them compares the values.
struct ValueHash {
    static let shared = ValueHash()

    /// The hash of nothing yet, for an array.
    let emptyArray: UInt64
    let null: UInt64
    let `true`: UInt64
    let `false`: UInt64

    private let stringSeed: UInt64
    private let numberSeed: UInt64
    private let objectSeed: UInt64
    private let nameKey: UInt64
    private let valueKey: UInt64
    private let multiplier: UInt64
    private let lastMultiplier: UInt64

    private init() {
        var generator = SystemRandomNumberGenerator()
        emptyArray = generator.next()
        null = generator.next()
        `true` = generator.next()
        `false` = generator.next()
        stringSeed = generator.next()
        numberSeed = generator.next()
        objectSeed = generator.next()
        nameKey = generator.next()
        valueKey = generator.next()
        multiplier = generator.next() | 1
        lastMultiplier = generator.next() | 1
    }

    /// Both halves of the product, as in the folded multiply of wyhash.
    @inline(__always)
    private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension ValueHash {
    /// The hash of no bytes yet, of a string.
    var string: UInt64 { stringSeed }

    /// The hash of no bytes yet, of a number's spelling.
    var number: UInt64 { numberSeed }

    /// Takes eight more bytes in.
    @inline(__always)
    func adding(_ word: UInt64, to state: UInt64) -> UInt64 {
        fold(state ^ word, multiplier)
    }

    /// Takes the last bytes in, fewer than eight and padded with zeros.
    @inline(__always)
    func ending(_ state: UInt64, tail: UInt64, length: Int) -> UInt64 {
        fold(state ^ tail, lastMultiplier &+ UInt64(truncatingIfNeeded: length) &* 2)
    }

    /// The hash of the bytes from `start` to `end`, of a string or of a number by `seed`.
    @inline(__always)
    func bytes(_ source: Span<UInt8>, from start: Int, to end: Int, seed: UInt64) -> UInt64 {
        var state = seed
        var index = start
        while end - index >= 8 {
            state = adding(source.knownWord(at: index), to: state)
            index += 8
        }
        return ending(state, tail: source.tail(from: index, to: end), length: end - start)
    }
}

extension ValueHash {
    /// What one member adds to the sum of an object's.
    @inline(__always)
    func member(name: UInt64, value: UInt64) -> UInt64 {
        fold(name ^ nameKey, value ^ valueKey)
    }

    /// The hash of an object from the sum of its members.
    func object(sum: UInt64) -> UInt64 {
        fold(sum ^ objectSeed, lastMultiplier)
    }

    /// Takes one more element of an array in.
    func element(_ value: UInt64, after state: UInt64) -> UInt64 {
        fold(state ^ value, multiplier) &+ valueKey
    }

    /// The hash of an array whose elements have all been taken in.
    func array(_ state: UInt64) -> UInt64 {
        fold(state, lastMultiplier)
    }

    /// The hash of a string that is not in a document.
    func string(_ text: ExactString) -> UInt64 {
        bytes(of: text.string, seed: stringSeed)
    }

    /// The hash of a number that is not in a document.
    func number(_ spelling: String) -> UInt64 {
        bytes(of: spelling, seed: numberSeed)
    }

    private func bytes(of string: String, seed: UInt64) -> UInt64 {
        string.withUTF8Span { bytes($0, from: 0, to: $0.count, seed: seed) }
    }
}
