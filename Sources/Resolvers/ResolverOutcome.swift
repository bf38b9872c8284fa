import JSON

/// What came of one handler.
package struct ResolverOutcome: Sendable {
    package enum End: Sendable {
        /// What the handler returned; undefined is null.
        case value(JSONValue)
        /// `runtime.earlyReturn(value, { skipTo })`, and `#return` of templates.
        case early(JSONValue, skipsToEnd: Bool)
        /// `util.error`, `util.unauthorized`, a fault.
        case failed(ResolverError)
    }

    package var end: End
    /// As the handler left it, which is what the next one gets.
    package var stash = JSONObject()
    /// The arguments as the handler left them, which is what the next one gets; nil: as they were.
    package var arguments: JSONValue?
    /// Those of the context, and behind them what this handler appended.
    package var outErrors: [ResolverError] = []
    /// Lines of the console: `INFO - code.js:5:3: "a" {"b":1}`.
    package var logs: [String] = []
    package var subscriptionFilter: JSONValue?
    package var invalidationFilter: JSONValue?
    /// `{subscriptionField, payload}` of each `extensions.invalidateSubscriptions`.
    package var invalidations: [JSONValue] = []
    /// `{typeName, fieldName, keyValuePair}` of each `extensions.evictFromApiCache`.
    package var evictions: [JSONValue] = []
    /// Names and values; each name once.
    package var responseHeaders: [(String, String)] = []

    /// Whether something that the handler left was beyond a limit and is not here, although the handler has not failed.
    var isCut = false

    package init(_ end: End) {
        self.end = end
    }
}
