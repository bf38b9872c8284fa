import JSON

/// What a handler is told: `ctx`.
package struct ResolverContext: Sendable {
    package var arguments: JSONValue = .object(JSONObject())
    /// Whether what a handler makes of the arguments is for the next one.
    package var keepsArguments = false
    package var source: JSONValue = .null
    /// Who asks.
    package var caller: any ResolverCaller = nobody
    package var stash = JSONObject()
    /// What the data source answered; only a response handler has it.
    package var result: JSONValue?
    /// What the step before gave, `ctx.prev.result`; nil: there was none yet.
    package var previous: JSONValue?
    /// What the data source failed with; only a response handler has it.
    package var error: ResolverError?
    package var info = ResolverInfo()
    /// The API's environment variables.
    package var environment = JSONObject()
    /// What was appended so far.
    package var outErrors: [ResolverError] = []
    /// Of a handler of channels: what it is told in the place of `info`, and the events.
    package var channel: ResolverChannel?
    private static let nobody: any ResolverCaller = GivenCaller(
        identity: .null, resolverRequest: .null, authType: nil)

    package init() {}

    /// The context as AppSync's `EvaluateCode` takes it: `{arguments, source, identity, stash, result, prev: {result}, error, request,
    /// info, env, outErrors}`, each of which may be missing.
    package init(json: JSONValue) {
        if let given = json["arguments"] ?? json["args"], given.object != nil { arguments = given }
        source = json["source"] ?? .null
        stash = json["stash"]?.object ?? JSONObject()
        result = json["result"]
        previous = json["prev"]?["result"]
        if let given = json["error"], !given.isNull { error = ResolverError(json: given) }
        info = ResolverInfo(json: json["info"] ?? .null)
        environment = json["env"]?.object ?? JSONObject()
        outErrors = (json["outErrors"]?.array ?? []).map { ResolverError(json: $0) }
        caller = GivenCaller(
            identity: json["identity"] ?? .null, resolverRequest: json["request"] ?? .null,
            authType: json["authType"]?.string)
    }

    package var identity: JSONValue {
        get { caller.identity }
        set {
            caller = GivenCaller(
                identity: newValue, resolverRequest: caller.resolverRequest, authType: caller.authType)
        }
    }

    /// `headers` and `domainName`.
    package var request: JSONValue { caller.resolverRequest }

    /// What `util.authType()` answers; nil: it is judged by the identity's shape.
    package var authType: String? {
        get { caller.authType }
        set {
            caller = GivenCaller(
                identity: caller.identity, resolverRequest: caller.resolverRequest, authType: newValue)
        }
    }
}

/// The channel as its handler gets it.
package final class ResolverChannel: Sendable {
    /// `ctx.info`
    let info: JSONValue
    /// `ctx.events`; nil: there are none when somebody subscribes.
    let events: JSONValue?

    package init(info: JSONValue, events: JSONValue?) {
        self.info = info
        self.events = events
    }
}

/// Who asks, as handlers are told of them. Most never look, so it may be made when one does.
package protocol ResolverCaller: Sendable {
    var identity: JSONValue { get }
    /// `headers` and `domainName`.
    var resolverRequest: JSONValue { get }
    /// What `util.authType()` answers; nil: it is judged by the identity's shape.
    var authType: String? { get }
}

/// The same where it is known beforehand.
private struct GivenCaller: ResolverCaller {
    let identity: JSONValue
    let resolverRequest: JSONValue
    let authType: String?
}
