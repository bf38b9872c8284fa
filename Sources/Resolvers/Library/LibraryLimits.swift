/// What bounds functions of the library, beside `ResolverLimits`, which bound the run that they belong to.
enum LibraryLimits {
    /// Bytes of a text that cost one step.
    static let bytesPerStep = 64
    /// Groups that `util.transform.toSubscriptionFilter` multiplies a filter out to. Beyond: it fails.
    static let alternativesMax = 1_000
    /// Statements of one request to a database. Beyond: it fails.
    static let statementsMax = 2
    /// Bytes of a pattern of `util.time`. Beyond: the function fails.
    static let datePatternBytesMax = 1_000
    /// Brackets in brackets of such a pattern. Beyond: the function fails.
    static let datePatternNestingMax = 10
    /// Time zones that are kept once they are read. Beyond: all are forgotten.
    static let timeZonesMax = 64
    /// The year of a text that `util.time` reads, in both directions. Beyond: the function fails.
    static let yearMax = 200_000_000
    /// Groups of a filter of subscriptions, filters of a group, and fields of all of them. Beyond: the handler fails.
    static let filterGroupsMax = 10
    static let filterConditionsMax = 10
    static let filterFieldsMax = 5
    /// Levels of a field of such a filter, `a.b.c`; values of `in` and `notIn`, and of `containsAny`; characters of a text.
    static let filterPathMax = 5
    static let filterListMax = 5
    static let filterContainsAnyMax = 20
    static let filterTextMax = 256
    /// Different `extensions.invalidateSubscriptions` of a request. Beyond: the handler fails.
    static let invalidationsMax = 5
    /// Calls of `extensions.evictFromApiCache` of a request. Beyond: the handler fails.
    static let evictionsMax = 100
    /// Bytes of all names and values that `util.http` sets. What goes beyond is left out, and an error says so.
    static let headerBytesMax = 4 << 10
}
