/// A keyed hash of JSON values: equal values have equal hashes.
///
/// The order of members and the escapes in strings make no difference; a number is hashed as it is
/// spelled. The keys are random in each process, so an attacker cannot prepare values that collide.
/// Equal hashes do not prove that values are equal: the caller must compare the values.
struct ValueHash {
    static let shared = ValueHash()

    /// The initial state for an array.
    let emptyArray: UInt64
    let null: UInt64
    let `true`: UInt64
    let `false`: UInt64
    /// The hash of the string `id`.
    private(set) var id: UInt64 = 0
    /// The hash of the string `kind`.
    private(set) var kind: UInt64 = 0

    /// The initial state for a string's bytes without escapes.
    let string: UInt64
    /// The initial state for a number's spelling.
    let number: UInt64
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
        string = generator.next()
        number = generator.next()
        objectSeed = generator.next()
        nameKey = generator.next()
        valueKey = generator.next()
        multiplier = generator.next() | 1
        lastMultiplier = generator.next() | 1
        id = string("id")
        kind = string("kind")
    }

    /// Returns the high half XOR the low half of the product: the folded multiply of wyhash.
    @inline(__always)
    private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension ValueHash {
    /// Returns a state after eight more bytes.
    @inline(__always)
    func adding(_ word: UInt64, to state: UInt64) -> UInt64 {
        fold(state ^ word, multiplier)
    }

    /// Returns the hash from a state and the last bytes, at most seven, padded with zeros; `length`
    /// is the number of all bytes.
    @inline(__always)
    func ending(_ state: UInt64, tail: UInt64, length: Int) -> UInt64 {
        fold(state ^ tail, lastMultiplier &+ UInt64(truncatingIfNeeded: length) &* 2)
    }

    /// Returns the hash of the bytes from `start` to `end`; `seed` is ``string`` or ``number``.
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
    /// Returns a member's term in the sum for its object, from the hashes of its name and value.
    @inline(__always)
    func member(name: UInt64, value: UInt64) -> UInt64 {
        fold(name ^ nameKey, value ^ valueKey)
    }

    /// Returns the hash of an object from the sum of its members' terms.
    func object(sum: UInt64) -> UInt64 {
        fold(sum ^ objectSeed, lastMultiplier)
    }

    /// Returns the state of an array after another element, from the element's hash.
    func element(_ value: UInt64, after state: UInt64) -> UInt64 {
        fold(state ^ value, multiplier) &+ valueKey
    }

    /// Returns the hash of an array from its state after the last element.
    func array(_ state: UInt64) -> UInt64 {
        fold(state, lastMultiplier)
    }

    /// Returns the hash of a string that was not read from a document.
    func string(_ text: ExactString) -> UInt64 {
        text.string.withUTF8Span { bytes($0, from: 0, to: $0.count, seed: string) }
    }
}
