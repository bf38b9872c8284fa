import Access
import JSON

/// What resolvers of the app's own work on: the engine knows what they ask, and this who answers.
package protocol ResolverServices: AnyObject, Sendable {
    /// What a name of a data source stands for; nil: there is none of that name.
    func source(named name: String) -> ResolverSource?

    /// The variables that handlers find in `ctx.env`.
    var environment: JSONObject { get }

    /// What stands for the API in the names of its tables.
    var apiID: String { get }

    /// An operation of DynamoDB's API. `place` is what the loop has for tables.
    ///
    /// - Parameters:
    ///   - isPlain: whether the items that it reads are wanted as handlers see them, not with the types of their values.
    ///   - end: when the operation that asks has to end, in milliseconds of the monotonic clock: all its calls share that.
    func callTables(
        _ operation: String, _ request: JSONObject, isPlain: Bool, until end: Int64, at place: (any TablePlace)?
    ) async -> Result<JSONObject, TableRefusal>

    /// The same for what is there at once; nil where it has to be waited for, and nothing has been done.
    func callTablesNow(
        _ operation: String, _ request: JSONObject, isPlain: Bool, at place: any TablePlace
    ) -> Result<JSONObject, TableRefusal>?

    /// `PutEvents` of EventBridge's API.
    func putEvents(_ request: JSONObject) async -> Result<JSONObject, TableRefusal>

    /// The answer to a request that this server stands for itself: to a language model. Nil: it has to be sent.
    func answerHere(_ request: OutsideRequest) async -> OutsideResponse?

    /// Asks a language model: `/model/NAME/invoke`.
    func askModel(_ path: String, _ body: [UInt8]) async -> OutsideResponse

    /// The request as it is to be sent: to where the configuration says that its host is, and signed.
    func outgoing(_ request: OutsideRequest, signing: ResolverSource.Signing?) -> OutsideRequest
}

/// What one loop has for tables.
package protocol TablePlace: AnyObject, Sendable {}

/// Why a service refuses a call.
package struct TableRefusal: Error, Sendable {
    package let type: String
    package let message: String
    /// The item that did not fulfil the condition, as DynamoDB's API has it.
    package var item: JSONObject?
    /// Of a transaction that was cancelled.
    package var reasons: [JSONValue] = []

    package init(type: String, message: String, item: JSONObject? = nil, reasons: [JSONValue] = []) {
        self.type = type
        self.message = message
        self.item = item
        self.reasons = reasons
    }
}

/// What a resolver works on.
package enum ResolverSource: Sendable, Equatable {
    /// For what requests to a service are signed.
    package struct Signing: Sendable, Equatable {
        package let service: String
        package let region: String
        /// The data source, in whose role they are signed.
        package let source: String

        package init(service: String, region: String, source: String) {
            self.service = service
            self.region = region
            self.source = source
        }
    }

    /// Where a relational database is, as RDS's Data API wants to know it.
    package struct Database: Sendable, Equatable {
        package let url: String
        package let cluster: String
        package let secret: String
        package let name: String?

        package init(url: String, cluster: String = "", secret: String = "", name: String? = nil) {
            self.url = url
            self.cluster = cluster
            self.secret = secret
            self.name = name
        }
    }

    /// No data: the payload is the result.
    case none
    /// A table, by the name that DynamoDB's API has for it.
    case table(String, isVersioned: Bool)
    case http(endpoint: String, signing: Signing?)
    /// A function, by the name by which it is configured, and how many of its invocations may go as one, if that is said.
    case function(String, batchMax: Int? = nil)
    case events(bus: String)
    case search(endpoint: String, signing: Signing?)
    case database(Database, signing: Signing?)
    /// Language models.
    case models
    /// What nobody here can answer for, and what could be done about it.
    case unserved(String)
}
