import Access
import Engine
import JSON
import Network
import Realtime

extension ConsoleEndpoint {
    /// Operations on somebody's behalf.
    static let running: [ConsoleEndpoint] = [
        ConsoleEndpoint(.post, "/run", body: .collected(ConsoleLimits.operationBytesMax)) {
            console, request throws(ConsoleError) in
            try await console.run(request)
        }
    ]
}

extension Console {
    /// Runs an operation as the API does, for somebody whom the request names.
    func run(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let input = try request.members()
        let body = try Self.operationBody(input)
        let caller = try await caller(request)
        let host = try host
        var operation = OperationRun(host: host, loop: request.loop, caller: caller)
        operation.fields = try Self.fields(input)
        var outcome = await operation.run(body)
        if outcome.isSubscription {
            guard let asked = OperationRequest(parsing: body) else { throw .badRequest("The operation is none.") }
            guard let refused = await outcome.refusal(of: asked, caller, request.loop, host) else {
                return try stream(asked, for: caller, request, host)
            }
            outcome = refused
        }
        var answer = try await self.answer(to: outcome, body, caller, request, host)
        answer.set("status", to: .integer(Int64(outcome.status)))
        answer.set(
            "headers",
            to: [["content-type", "application/json;charset=UTF-8"], ["x-amzn-appsync-tokensconsumed", "1"]])
        if let happened = answer["happened"], happened["operation"]?.text == "mutation" {
            let fields = (happened["fields"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
            audit.note("run", fields, "as \(caller.label): \(happened["result"]?.string ?? "")", by: request)
        }
        return .json(.object(answer))
    }

    /// What is told of an operation that was run: its answer, why something was denied, and what happened.
    func answer(
        to outcome: OperationRun.Outcome, _ body: [UInt8], _ caller: ResolvedCaller, _ request: ConsoleRequest,
        _ host: any ConsoleHost
    ) async throws(ConsoleError) -> JSONObject {
        let view = try await view(host)
        let errors = outcome.response["errors"]?.array ?? []
        let report = DenialReport(view: view, caller: caller)
        let head = head(of: outcome, body, caller, view)
        let happened = await whole(head, outcome.story, host)
        let users = AdmittedUsers(host: host, loop: request.loop)
        return JSONObject([
            ("response", outcome.response),
            ("denials", await users.named(in: report.json(outcome.trace, errors: errors))),
            ("happened", .object(happened)),
        ])
    }

    private func head(
        of outcome: OperationRun.Outcome, _ body: [UInt8], _ caller: ResolvedCaller, _ view: SchemaView
    ) -> StoryJSON.Head {
        var head = StoryJSON.Head()
        head.id = live.number()
        head.at = Timestamp.now.millisecondsSince1970
        head.callerLabel = caller.label
        head.callerMode = caller.identity.mode.word
        head.callerDetail = caller.detail
        head.transport = "console"
        head.status = outcome.status
        head.errors = outcome.response["errors"]?.array ?? []
        head.nanoseconds = outcome.story.nanoseconds
        head.bytesOut = outcome.bytesOut
        StoryJSON.describe(body, &head, view.names)
        live.add(head, outcome.story)
        return head
    }

    /// A story with the plans of its statements, which are asked of the database beside the loop.
    func whole(_ head: StoryJSON.Head, _ story: OperationStory, _ host: any ConsoleHost) async -> JSONObject {
        let read = try? await host.engine.store.readersAside.read(
            until: Timestamp.monotonicMilliseconds + ConsoleLimits.readMilliseconds
        ) { reader in StoryJSON.whole(head, story, reader) }
        return read ?? StoryJSON.whole(head, story, nil)
    }

    /// A subscription's events, until the page has enough of them.
    private func stream(
        _ operation: OperationRequest, for caller: ResolvedCaller, _ request: ConsoleRequest, _ host: any ConsoleHost
    ) throws(ConsoleError) -> ConsoleAnswer {
        guard followed.enter() else {
            throw ConsoleError(
                503, "busy",
                "\(ConsoleLimits.subscriptionsMax) subscriptions are followed by the console already: end one of them.",
                retrySeconds: 10)
        }
        let seat = StreamSeat { [followed] in followed.leave() }
        var response = HTTPResponse(fields: PageFields.ofAPI)
        response.fields.append("content-type", "text/event-stream; charset=utf-8")
        let (loop, identifier) = (request.loop, request.request.identifier)
        response.body = .stream(length: nil) { [realtime = host.realtime] writer in
            defer { seat.end() }
            try await realtime.writeEventStream(
                operation, of: identifier, for: caller.identity, on: loop, to: writer)
        }
        return .raw(response)
    }

    private static func operationBody(_ input: ConsoleInput) throws(ConsoleError) -> [UInt8] {
        var body = JSONObject([("query", .string(try input.text("query")))])
        if let name = try input.optionalText("operationName") { body.set("operationName", to: .string(name)) }
        if input["variables"] != nil { body.set("variables", to: .object(try input.objectMember("variables"))) }
        return JSONWriter.bytes(of: .object(body))
    }

    private static func fields(_ input: ConsoleInput) throws(ConsoleError) -> [(name: String, value: String)] {
        guard input["headers"] != nil else { return [] }
        return try input.objectMember("headers").members.prefix(ConsoleLimits.valuesMax).compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
    }
}
