import JSON

/// What a handler is told: `ctx`.
package struct ResolverContext: Sendable {
    package var arguments: JSONValue = .object(JSONObject())
    /// Whether what a handler makes of the arguments is for the next one.
    package var keepsArguments = false
    package var source: JSONValue = .null
    package var identity: JSONValue = .null
    package var stash = JSONObject()
    /// What the data source answered; only a response handler has it.
    package var result: JSONValue?
    /// What the step before gave, `ctx.prev.result`; nil: there was none yet.
    package var previous: JSONValue?
    /// What the data source failed with; only a response handler has it.
    package var error: ResolverError?
    /// `headers` and `domainName`.
    package var request: JSONValue = .null
    package var info = ResolverInfo()
    /// The API's environment variables.
    package var environment = JSONObject()
    /// What was appended so far.
    package var outErrors: [ResolverError] = []
    /// What `util.authType()` answers; nil: it is judged by the identity's shape.
    package var authType: String?

    package init() {}

    /// The context as AppSync's `EvaluateCode` takes it: `{arguments, source, identity, stash, result, prev: {result}, error, request,
    /// info, env, outErrors}`, each of which may be missing.
    package init(json: JSONValue) {
        if let given = json["arguments"] ?? json["args"], given.object != nil { arguments = given }
        source = json["source"] ?? .null
        identity = json["identity"] ?? .null
        stash = json["stash"]?.object ?? JSONObject()
        result = json["result"]
        previous = json["prev"]?["result"]
        if let given = json["error"], !given.isNull { error = ResolverError(json: given) }
        request = json["request"] ?? .null
        info = ResolverInfo(json: json["info"] ?? .null)
        environment = json["env"]?.object ?? JSONObject()
        outErrors = (json["outErrors"]?.array ?? []).map { ResolverError(json: $0) }
        authType = json["authType"]?.string
    }
}
