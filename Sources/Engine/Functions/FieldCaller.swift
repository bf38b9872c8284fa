import Access
import Blueprint
import JSON
import Resolvers
import Synchronization

/// Who asks for a field that is computed elsewhere, as functions and handlers are told of them: the part of a call that is the same
/// for a whole request. It is made when somebody asks for any of it: most handlers never do.
package final class FieldCaller: ResolverCaller {
    /// All that is told.
    package struct Told: Sendable {
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

        static func authType(_ mode: AuthMode) -> String {
            switch mode {
            case .apiKey: "API Key Authorization"
            case .userPools: "User Pool Authorization"
            case .iam: "IAM Authorization"
            case .oidc: "Open ID Connect Authorization"
            case .lambda: "Lambda Authorization"
            }
        }
    }

    private let make: @Sendable () -> Told
    private let made = Mutex<Told?>(nil)

    init(_ make: @escaping @Sendable () -> Told) { self.make = make }

    private var told: Told {
        made.withLock { made in
            if let made { return made }
            let new = make()
            made = new
            return new
        }
    }

    package var identity: JSONValue { told.identity }
    var headers: JSONObject { told.headers }
    package var authType: String? { told.authType }

    /// `request` of a function's payload. No API has a domain of its own.
    var request: JSONValue { Self.request(told.headers) }

    /// The same for handlers, who are not told of cookies.
    package var resolverRequest: JSONValue {
        var told = told.headers
        told.remove("cookie")
        return Self.request(told)
    }

    private static func request(_ headers: JSONObject) -> JSONValue {
        .object(
            JSONObject(distinct: [
                .init(key: "headers", value: .object(headers)), .init(key: "domainName", value: .null),
            ]))
    }
}
