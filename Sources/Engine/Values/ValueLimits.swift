/// The limits of values that are written field by field. What goes beyond one gets an error that names it.
enum ValueLimits {
    /// The most fields of a plan, those of every type that an abstract one stands for counted. A document of usual
    /// size has some tens; only interfaces inside interfaces multiply.
    static let planFieldsMax = 100_000
    /// The most bytes of results that are kept for one value until it is written, each of a field that was computed.
    static let computedBytesMax = 64 << 20
    /// The most errors that values may add to a response: a list of wrong elements has one for each.
    static let errorsMax = 10_000
    /// The most fields that are computed for one value, as AppSync counts resolvers.
    static let computedFieldsMax = 10_000
    /// How many of them run at the same time.
    static let concurrentFieldsMax = 32
}
