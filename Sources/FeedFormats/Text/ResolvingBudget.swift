/// Resolves the addresses of one text, as long as it does not grow by that out of all proportion:
/// each of very many short references becomes as long as what it is relative to.
struct ResolvingBudget {
    /// How many more bytes may come.
    private var byteCount: Int

    /// - Parameter textByteCount: The length of the text.
    init(textByteCount: Int) { byteCount = 8 * textByteCount + 4096 }

    /// The address that a reference means; `nil` past the budget.
    mutating func resolve(_ reference: String, base: String) -> String? {
        guard byteCount > 0 || WebAddress.scheme(of: reference) != nil else { return nil }
        let address = WebAddress.resolve(reference, base: base)
        byteCount -= max(0, address.utf8.count - reference.utf8.count)
        return byteCount >= 0 ? address : nil
    }
}
