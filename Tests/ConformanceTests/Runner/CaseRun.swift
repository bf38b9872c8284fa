import Glibc
import JSON
import TestSupport

/// Runs one case against a server of its own.
final class CaseRun {
    /// Why a case does not pass.
    struct Failure: Error, CustomStringConvertible {
        /// "the start", or "step 3".
        let place: String
        let reason: String
        var description: String { "\(place): \(reason)" }
    }

    /// How long to wait for a message that must come.
    let patience: Duration
    let server: HomeportProcess
    private let identities: [String: Identity]
    var names = Substitution()
    /// By caller, the connections for subscriptions.
    private var links: [String: SubscriptionLink] = [:]
    /// By subscription, the connection that it runs on.
    private var subscriptions: [String: SubscriptionLink] = [:]

    /// Nil when the case passes.
    static func outcome(of testCase: ConformanceCase, patience: Duration) async throws -> Failure? {
        try await Places.forServers.occupy {
            // Everything in here blocks, so it has a thread of its own.
            try await BlockingThread.run { () -> Failure? in
                do throws(Failure) {
                    try CaseRun(testCase, patience: patience).run(testCase.steps)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }

    private init(_ testCase: ConformanceCase, patience: Duration) throws(Failure) {
        self.patience = patience
        identities = testCase.identities
        do {
            let folder = TemporaryFolder()
            try CaseConfiguration(testCase).write(to: folder)
            server = try HomeportProcess(["--config", CaseConfiguration.name], in: folder)
        } catch {
            throw Failure(place: "the start", reason: "\(error)")
        }
    }

    private func run(_ steps: [Step]) throws(Failure) {
        for (index, step) in steps.enumerated() {
            do {
                try run(step)
            } catch {
                throw Failure(place: "step \(index + 1)", reason: "\(error)")
            }
        }
    }

    private func run(_ step: Step) throws {
        switch step {
        case .request(let request): try send(request)
        case .exchange(let exchange): try run(exchange)
        case .socket(let script): try run(script)
        case .subscribe(let subscribing): try subscribe(subscribing)
        case .event(let name, let expectation, let milliseconds):
            let message = try subscription(name).next(of: name, within: limit(milliseconds))
            guard let message, message["type"] == "data" else {
                throw Mismatch(path("event \(name)"), expected: "a message with data", got: message)
            }
            try check(message["payload"] ?? .null, expectation)
        case .silence(let name, let milliseconds):
            if let message = try subscription(name).next(of: name, within: .milliseconds(milliseconds)) {
                throw Mismatch(path("event \(name)"), "nothing", JSONWriter.text(of: message))
            }
        case .unsubscribe(let name):
            let message = try subscription(name).stop(name, within: patience)
            subscriptions[name] = nil
            guard message?["type"] == "complete" else {
                throw Mismatch(path("stop"), expected: ["type": "complete"], got: message)
            }
        case .pause(let milliseconds): CaseRun.pause(milliseconds)
        }
    }

    /// The time that a case gives is a part of what it says: how long ago something happened counts.
    static func pause(_ milliseconds: Int) { usleep(UInt32(clamping: milliseconds * 1000)) }

    func limit(_ milliseconds: Int?) -> Duration { milliseconds.map { .milliseconds($0) } ?? patience }

    func path(_ name: String) -> JSONPath { JSONPath([.key(name)]) }

    // MARK: Callers

    struct UnknownCaller: Error, CustomStringConvertible {
        let name: String
        var description: String { "the case has no identity \(name)" }
    }

    private func identity(_ name: String) throws(UnknownCaller) -> Identity {
        if let identity = identities[name] { return identity }
        guard name == "anon" else { throw UnknownCaller(name: name) }
        return .anonymous
    }

    /// The fields of a request that say who calls, with the others.
    private func fields(
        of caller: String, _ path: String, _ body: String, _ others: [(name: String, value: String)]
    ) throws(UnknownCaller) -> [(name: String, value: String)] {
        switch try identity(caller) {
        case .anonymous: others
        case .apiKey(let key): others + [("x-api-key", key)]
        case .token(let identity): others + [("Authorization", identity.token())]
        case .authorized(let identity): others + [("Authorization", identity.token)]
        case .signer(let identity):
            identity.signedFields(
                of: .init(host: server.authority, path: path, fields: others, body: Array(body.utf8)))
        }
    }

    /// The object that says who calls in a message over a WebSocket, as the clients make it.
    private func authorization(of caller: String, _ suffix: String, _ body: String) throws(UnknownCaller) -> JSONValue {
        var others = [(name: "host", value: server.authority)]
        if case .signer = try identity(caller) {
            others = [
                ("accept", "application/json, text/javascript"), ("content-encoding", "amz-1.0"),
                ("content-type", "application/json; charset=UTF-8"),
            ]
        }
        let fields = try fields(of: caller, "/graphql\(suffix)", body, others)
        return .object(JSONObject(fields.map { ($0.name, JSONValue.string($0.value)) }))
    }

    // MARK: Requests

    private func send(_ request: Step.Request) throws {
        var body = JSONObject([
            ("query", .string(names.filled(request.query))), ("variables", try names.filled(request.variables)),
        ])
        if let name = request.operationName { body["operationName"] = .string(name) }
        let text = JSONWriter.text(of: .object(body))
        let fields = try fields(of: request.caller, "/graphql", text, [("content-type", "application/json")])
        let answer = try HTTPAnswer(to: "POST", "/graphql", fields, text, at: server.port)
        guard answer.status == request.status else {
            throw Mismatch(path("status"), "\(request.status)", "\(answer.status) \(answer.body)")
        }
        try check(answer.json(), request.expectation)
    }

    private func check(_ response: JSONValue, _ expectation: Step.Expectation) throws(Mismatch) {
        let matcher = Matcher(names.values)
        let errors = response["errors"]
        if expectation.errors == nil, let errors, !errors.isNull, errors != [] {
            throw Mismatch(path("errors"), "none", JSONWriter.text(of: errors))
        }
        if let data = expectation.data {
            try matcher.check(response["data"] ?? .null, data, at: path("data"), isExact: true)
        }
        if let expected = expectation.errors { try matcher.check(errors ?? .null, expected, at: path("errors")) }
        try names.keep(expectation.saved, of: response)
    }

    private func run(_ exchange: Step.Exchange) throws {
        let names = try allNames()
        let body = try names.filled(exchange.body)
        let text = body.isNull ? "" : body.string ?? JSONWriter.text(of: body)
        let answer = try HTTPAnswer(
            to: exchange.method, names.filled(exchange.path), Self.fields(try names.filled(exchange.headers)), text,
            at: server.port)
        let matcher = Matcher(self.names.values)
        if let status = exchange.status {
            try matcher.check(.integer(Int64(answer.status)), status, at: path("status"))
        }
        for member in exchange.expectedHeaders {
            let got = answer.fields[member.key.lowercased()].map(JSONValue.string)
            try matcher.check(got ?? .null, member.value, at: path("headers").appending(member.key))
        }
        if let json = exchange.json { try matcher.check(answer.json(), json, at: path("json")) }
        if let text = exchange.text { try matcher.check(.string(answer.body), text, at: path("text")) }
        if !exchange.saved.isEmpty { try self.names.keep(exchange.saved, of: answer.json()) }
    }

    static func fields(_ object: JSONObject) -> [(name: String, value: String)] {
        object.map { ($0.key, $0.value.string ?? JSONWriter.text(of: $0.value)) }
    }

    /// What is written byte by byte may use these names too: `${host}`, `${apiKey}`, and by caller `${token:NAME}`,
    /// `${wsAuth:NAME}` (an object) and `${wsHeader:NAME}` (the parameter of a handshake).
    func allNames() throws -> Substitution {
        var all = names
        all.values["host"] = .string(server.authority)
        all.values["apiKey"] = .string(Identity.knownAPIKey)
        for (name, identity) in identities {
            if case .token(let identity) = identity { all.values["token:\(name)"] = .string(identity.token()) }
            all.values["wsAuth:\(name)"] = try authorization(of: name, "", "{}")
            let handshake = try authorization(of: name, "/connect", "{}")
            all.values["wsHeader:\(name)"] = .string(SubscriptionLink.parameter(handshake))
        }
        return all
    }

    // MARK: Subscriptions

    private func subscription(_ name: String) throws(Mismatch) -> SubscriptionLink {
        guard let link = subscriptions[name] else { throw Mismatch(path(name), "a subscription", "nothing") }
        return link
    }

    private func link(of caller: String) throws -> SubscriptionLink {
        if let link = links[caller] { return link }
        let link = try SubscriptionLink(
            port: server.port, authorization: authorization(of: caller, "/connect", "{}"), patience: patience)
        links[caller] = link
        return link
    }

    private func subscribe(_ step: Step.Subscribing) throws {
        let link = try link(of: step.caller)
        var message = link.greeting
        if message?["type"] == "connection_ack" {
            let data = JSONWriter.text(of: [
                "query": .string(names.filled(step.query)), "variables": try names.filled(step.variables),
            ])
            message = try link.start(
                step.name, data, authorization: authorization(of: step.caller, "", data), within: patience)
            subscriptions[step.name] = link
        }
        guard let expected = step.error else {
            guard message?["type"] == "start_ack" else {
                throw Mismatch(path("subscribe"), expected: ["type": "start_ack"], got: message)
            }
            return
        }
        guard let message, message["type"]?.string?.contains("error") == true else {
            throw Mismatch(path("subscribe"), expected: ["type": "error"], got: message)
        }
        try Matcher(names.values).check(message["payload"] ?? .null, expected, at: path("payload"))
    }
}

extension HomeportProcess {
    /// The host and the port, as a request names them.
    var authority: String { "127.0.0.1:\(port)" }
}
