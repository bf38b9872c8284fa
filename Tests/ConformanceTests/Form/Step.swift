import JSON

/// One step of a case: something that is done, and what must come of it.
enum Step: Sendable {
    case request(Request)
    case exchange(Exchange)
    case socket(SocketScript)
    /// A conversation goes on over a connection that an earlier step kept.
    case conversation(socket: String, [SocketScript.Turn])
    /// The calls of a stand-in so far: `authorize`, or `fn/NAME`.
    case calls(of: String, JSONValue)
    case subscribe(Subscribing)
    case event(subscription: String, Expectation, milliseconds: Int?)
    case silence(subscription: String, milliseconds: Int)
    case unsubscribe(subscription: String)
    case pause(milliseconds: Int)

    /// A GraphQL operation over HTTP.
    struct Request: Sendable {
        let caller: String
        let query: String
        let variables: JSONValue
        let operationName: String?
        let status: Int
        let expectation: Expectation
    }

    /// What must be in an answer or an event, and what is kept of it for later steps.
    struct Expectation: Sendable {
        /// Nothing is said about the data when this is nil.
        let data: JSONValue?
        /// Nil: there must be none.
        let errors: JSONValue?
        let saved: [String: String]

        init(_ step: CaseFields) throws(CaseFormError) {
            let fields = step.has("expect") ? try step.fields("expect") : try CaseFields([:], "what is expected")
            try fields.expectOnly(["status", "data", "errors"])
            data = fields.members["data"]
            errors = fields.members["errors"].flatMap { $0.isNull ? nil : $0 }
            saved = try Step.saved(step)
        }
    }

    /// An exchange over HTTP, byte by byte as it is written down.
    struct Exchange: Sendable {
        /// The caller whose fields the request gets; nil: none but its own.
        let caller: String?
        let method: String
        let path: String
        let headers: JSONObject
        let body: JSONValue
        let status: JSONValue?
        let expectedHeaders: JSONObject
        let json: JSONValue?
        let text: JSONValue?
        let saved: [String: String]
    }

    /// A subscription over AppSync's protocol, on the caller's own connection.
    struct Subscribing: Sendable {
        let name: String
        let caller: String
        let query: String
        let variables: JSONValue
        /// The payload of the error that must come instead of a start.
        let error: JSONValue?
    }

    init(_ fields: CaseFields) throws(CaseFormError) {
        if fields.has("http") {
            self = .exchange(try Exchange(fields))
        } else if fields.has("ws") {
            self = .socket(try SocketScript(fields))
        } else if fields.has("socket") {
            try fields.expectOnly(["socket", "frames"])
            self = .conversation(socket: try fields.text("socket"), try SocketScript.turns(fields))
        } else if fields.has("calls") {
            try fields.expectOnly(["calls", "expect"])
            self = .calls(of: try fields.text("calls"), try fields.value("expect"))
        } else if fields.has("subscribe") {
            self = .subscribe(try Subscribing(fields))
        } else if fields.has("event") {
            try fields.expectOnly(["event", "expect", "save", "withinMs"])
            self = .event(
                subscription: try fields.text("event"), try Expectation(fields),
                milliseconds: fields.has("withinMs") ? try fields.integer("withinMs", or: 0) : nil)
        } else if fields.has("noEvent") {
            try fields.expectOnly(["noEvent", "ms"])
            self = .silence(subscription: try fields.text("noEvent"), milliseconds: try fields.integer("ms", or: 400))
        } else if fields.has("unsubscribe") {
            try fields.expectOnly(["unsubscribe"])
            self = .unsubscribe(subscription: try fields.text("unsubscribe"))
        } else if fields.has("sleepMs") {
            try fields.expectOnly(["sleepMs"])
            self = .pause(milliseconds: try fields.integer("sleepMs", or: 0))
        } else {
            self = .request(try Request(fields))
        }
    }

    /// Names, each with the place of the value that they stand for from then on.
    static func saved(_ fields: CaseFields) throws(CaseFormError) -> [String: String] {
        try fields.named("save") { name, value throws(CaseFormError) in
            guard let path = value.string else { throw CaseFormError("save.\(name) must be a string") }
            return path
        }
    }
}

extension Step.Request {
    init(_ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["as", "query", "variables", "operationName", "expect", "save"])
        caller = try fields.text("as")
        query = try fields.lines("query")
        variables = .object(try fields.object("variables"))
        operationName = fields.has("operationName") ? try fields.text("operationName") : nil
        status = fields.has("expect") ? try fields.fields("expect").integer("status", or: 200) : 200
        expectation = try Step.Expectation(fields)
    }
}

extension Step.Exchange {
    init(_ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["as", "http", "expect", "save"])
        caller = fields.has("as") ? try fields.text("as") : nil
        let request = try fields.fields("http")
        try request.expectOnly(["method", "path", "headers", "body"])
        method = try request.text("method", or: "POST")
        path = try request.text("path", or: "/graphql")
        headers = try request.object("headers")
        body = request.members["body"] ?? .null
        let expected = try fields.fields("expect")
        try expected.expectOnly(["status", "headers", "json", "text"])
        status = expected.members["status"]
        expectedHeaders = try expected.object("headers")
        json = expected.members["json"]
        text = expected.members["text"]
        saved = try Step.saved(fields)
    }
}

extension Step.Subscribing {
    init(_ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["as", "subscribe", "query", "variables", "expectError"])
        name = try fields.text("subscribe")
        caller = try fields.text("as")
        query = try fields.lines("query")
        variables = .object(try fields.object("variables"))
        error = fields.members["expectError"]
    }
}
