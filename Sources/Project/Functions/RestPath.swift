/// A path of a REST API at which a function is called, as it is configured.
package struct RestPath: Sendable, Equatable {
    /// The methods that an identity of the pool may use there.
    package enum Action: String, Sendable, CaseIterable {
        case create
        case read
        case update
        case delete

        package init(_ method: String) {
            switch method {
            case "POST": self = .create
            case "PUT", "PATCH": self = .update
            case "DELETE": self = .delete
            default: self = .read
            }
        }
    }

    /// The form of the event that a function gets for a call. It also decides how paths are matched: as of a `RestApi`, or as of an `HttpApi`.
    package enum EventForm: String, Sendable, CaseIterable {
        case version1 = "1.0"
        case version2 = "2.0"
    }

    package let api: String
    /// Such as `/items`, or `/books/{isbn}`; `/items/{proxy+}` is what is below `/items`.
    package let path: String
    /// The methods for signed-in users, guests and groups, who sign their requests; nil: nobody needs to sign.
    package let allowed: [String: Set<Action>]?
    /// The methods by which it is called; none: by all of them.
    package var methods: [String] = []
    /// True if what is below it belongs to others.
    package var isExact = false
    /// That it is for users of the pool, who show a token; with scopes, an access token that has one of them. Nil: nobody needs to.
    package var scopes: [String]?
    package var event = EventForm.version1

    /// The names of signed-in users and guests there; all others are groups.
    package static let users = "auth"
    package static let guests = "guest"

    package init(api: String, path: String, allowed: [String: Set<Action>]? = nil) {
        self.api = api
        self.path = path
        self.allowed = allowed
    }
}
