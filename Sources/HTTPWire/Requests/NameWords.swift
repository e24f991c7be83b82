/// A name of at most 16 bytes as two words, the first byte lowest.
struct NameWords {
    let first: UInt64
    let last: UInt64

    private init(_ first: UInt64, _ last: UInt64) {
        self.first = first
        self.last = last
    }

    /// Those of each field, by its raw value; zeros for longer names. Numbers that are written out
    /// need no look at run time whether they are worked out already.
    static let all: InlineArray<32, NameWords> = [
        .init(0, 0),
        .init(0x7470_6563_6361, 0),
        .init(0x652d_7470_6563_6361, 0x0067_6e69_646f_636e),
        .init(0x7a69_726f_6874_7561, 0x006e_6f69_7461),
        .init(0x6974_6365_6e6e_6f63, 0x6e6f),
        .init(0x2d74_6e65_746e_6f63, 0x676e_6964_6f63_6e65),
        .init(0x2d74_6e65_746e_6f63, 0x6874_676e_656c),
        .init(0x2d74_6e65_746e_6f63, 0x6570_7974),
        .init(0x6569_6b6f_6f63, 0),
        .init(0x7463_6570_7865, 0),
        .init(0x7473_6f68, 0),
        .init(0x6574_6f70_6d65_6469, 0x0079_656b_2d79_636e),
        .init(0x6863_7461_6d2d_6669, 0),
        .init(0, 0),
        .init(0x2d65_6e6f_6e2d_6669, 0x0068_6374_616d),
        .init(0x6567_6e61_722d_6669, 0),
        .init(0, 0),
        .init(0x6576_652d_7473_616c, 0x0064_692d_746e),
        .init(0x6e69_6769_726f, 0),
        .init(0x7265_6665_7270, 0),
        .init(0x0065_676e_6172, 0),
        .init(0x6574, 0),
        .init(0x0072_656c_6961_7274, 0),
        .init(0, 0),
        .init(0x0065_6461_7267_7075, 0),
        .init(0x6d69_2d61, 0),
        .init(0, 0),
        .init(0, 0),
        .init(0x6567_612d_7265_7375, 0x746e),
        .init(0x0061_6976, 0),
        .init(0x7261_7065_6361_7274, 0x0074_6e65),
        .init(0, 0),
    ]
}
