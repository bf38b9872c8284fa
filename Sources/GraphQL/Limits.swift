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

/// The limits of validating one document.
package struct ValidationLimits: Sendable, Equatable {
    /// The most errors that are reported.
    package var errorsMax: Int
    /// The most bytes that their messages have together: each can be as long as the document.
    package var errorBytesMax: Int
    /// How often fields are looked at: in how many combinations they overlap, and how often variables are sought in
    /// fragments. The usual document needs a few for each of its fields, one made for it needs 2ⁿ.
    package var workMax: Int
    /// How deeply selection sets may contain each other when every spread stands for its fragment.
    package var depthMax: Int
    /// The most selections of an operation when every spread stands for its fragment. A document without fragments cannot
    /// have as many; each of them costs a plan, and each request that runs it.
    package var selectionsMax: Int

    package static let standard = ValidationLimits(
        errorsMax: 1_000, errorBytesMax: 1 << 20, workMax: 50_000, depthMax: 200, selectionsMax: 20_000)
    /// For documents that are checked where others wait meanwhile: what goes beyond is checked elsewhere.
    package static let turn = ValidationLimits(
        errorsMax: 1_000, errorBytesMax: 1 << 20, workMax: 4_000, depthMax: 200, selectionsMax: 1_000)

    package init(errorsMax: Int, errorBytesMax: Int, workMax: Int, depthMax: Int, selectionsMax: Int = 20_000) {
        self.errorsMax = errorsMax
        self.errorBytesMax = errorBytesMax
        self.workMax = workMax
        self.depthMax = min(depthMax, 200)
        self.selectionsMax = selectionsMax
    }
}
