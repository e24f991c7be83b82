/// Resolves the addresses of one text, as long as the text does not grow out of all proportion:
/// each of very many short references becomes as long as its base.
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
