/// The limits of this room, in one table. What goes beyond one gets an error that names it.
package struct DocumentLimits: Sendable, Equatable {
    /// The longest document, in bytes.
    package var bytesMax: Int
    /// The most tokens in a document.
    package var tokensMax: Int
    /// How deeply selection sets, list values, object values and list types may contain each other. Everything that
    /// walks a document goes as deep as the document, so this also bounds the stack that it needs.
    package var nestingMax: Int

    /// For documents that clients send.
    package static let request = DocumentLimits(bytesMax: 1 << 20, tokensMax: 15_000, nestingMax: 200)
    /// For schemas, which come from the operator.
    package static let schema = DocumentLimits(bytesMax: 16 << 20, tokensMax: 4_000_000, nestingMax: 200)

    package init(bytesMax: Int, tokensMax: Int, nestingMax: Int) {
        self.bytesMax = min(bytesMax, Int(Int32.max))
        self.tokensMax = tokensMax
        self.nestingMax = min(nestingMax, 200)
    }
}
