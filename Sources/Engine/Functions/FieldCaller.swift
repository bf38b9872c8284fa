import Access
import Blueprint
import JSON

/// Who asks for a field that is computed elsewhere, as functions are told of them: the part of a call that is the same for a
/// whole request. A `Requester` makes it when the first function is called.
package struct FieldCaller: Sendable {
    /// As functions get it: null for callers of an API key.
    let identity: JSONValue
    /// The request's header fields, their names in lower case.
    let headers: JSONObject
    /// How they have proved who they are, as `util.authType()` says it; nil: nobody knows.
    let authType: String?

    /// `fields` are those of the request's head: several of one name are joined as HTTP says.
    package init(
        _ identity: Identity, from addresses: [String], fields: some Sequence<(name: String, value: String)> = []
    ) {
        self.init(
            identity: identity.payload(sourceAddresses: addresses), authType: Self.authType(identity.mode),
            fields: fields)
    }

    init(
        identity: JSONValue, authType: String? = nil, fields: some Sequence<(name: String, value: String)> = []
    ) {
        self.identity = identity
        self.authType = authType
        var headers = JSONObject()
        for (name, value) in fields {
            let name = name.lowercased()
            headers.set(name, to: .string((headers[name]?.string).map { "\($0), \(value)" } ?? value))
        }
        self.headers = headers
    }

    /// `request` of a function's payload. No API has a domain of its own.
    var request: JSONValue {
        .object(JSONObject([("headers", .object(headers)), ("domainName", .null)]))
    }

    /// The same for handlers, who are not told of cookies.
    var resolverRequest: JSONValue {
        var told = headers
        told.remove("cookie")
        return .object(JSONObject([("headers", .object(told)), ("domainName", .null)]))
    }

    private static func authType(_ mode: AuthMode) -> String {
        switch mode {
        case .apiKey: "API Key Authorization"
        case .userPools: "User Pool Authorization"
        case .iam: "IAM Authorization"
        case .oidc: "Open ID Connect Authorization"
        case .lambda: "Lambda Authorization"
        }
    }
}
