/// What this room bounds by itself. How large a schema is at all, and how deep its values nest, is bounded by the
/// parser's `DocumentLimits.schema`.
package enum BlueprintLimits {
    /// No schema gets more diagnostics: who has more wants to see the first ones.
    package static let diagnosticsMax = 1000
    /// For so many unknown names others are suggested. Each takes a look at all names that there are.
    package static let suggestionsMax = 100
}
