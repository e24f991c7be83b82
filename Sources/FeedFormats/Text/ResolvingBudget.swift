/// Resolves the addresses of one text, up to a limit of growth: very many short references could
/// each become as long as their base.
struct ResolvingBudget {
    /// The number of bytes that the text may still grow by.
    private var byteCount: Int

    /// - Parameter textByteCount: The length of the text.
    init(textByteCount: Int) { byteCount = 8 * textByteCount + 4096 }

    /// Returns the address that a reference means; `nil`: the budget is used up.
    mutating func resolve(_ reference: String, base: String) -> String? {
        guard byteCount > 0 || WebAddress.scheme(of: reference) != nil else { return nil }
        let address = WebAddress.resolve(reference, base: base)
        byteCount -= max(0, address.utf8.count - reference.utf8.count)
        return byteCount >= 0 ? address : nil
    }
}
