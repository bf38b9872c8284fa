import Access
import Crypto
import JSON
import Resolvers

/// One call of a data source: what a handler has returned goes there, and an answer comes back.
struct SourceCall {
    private let step: ResolverProgram.Step
    private let program: ResolverProgram
    private let call: FieldCall
    private let place: CallPlace

    init(_ step: ResolverProgram.Step, _ program: ResolverProgram, _ call: FieldCall, _ place: CallPlace) {
        self.step = step
        self.program = program
        self.call = call
        self.place = place
    }

    /// Throws where the request is none that the data source could be asked.
    func answer(to request: JSONValue) async throws(ResolverError) -> TableRequest.Answer {
        switch step.source {
        case .none: return TableRequest.Answer(request["payload"] ?? .null)
        case .table(let name, let isVersioned): return try await table(name, isVersioned, request)
        case .function(let name, _):
            return try await FunctionSourceCall(name, step, program, call, place).answer(to: request)
        case .http(let endpoint, let signing):
            return try await HTTPSourceRequest(request).answer(endpoint, signing, call, place)
        case .search(let endpoint, let signing):
            return try await SearchRequest(request).answer(endpoint, signing, call, place)
        case .events(let bus): return try await events(bus, request)
        case .database(let database, let signing):
            return try await StatementRequest(request).answer(database, signing, call, place)
        case .models: return try await model(request)
        case .unserved(let reason):
            throw ResolverError(
                "\(program.fieldName) on type \(program.typeName) cannot be answered: \(reason)", type: "NotImplemented"
            )
        }
    }

    // MARK: Tables

    private func table(
        _ name: String, _ isVersioned: Bool, _ value: JSONValue
    ) async throws(ResolverError) -> TableRequest.Answer {
        guard let services = place.directory.services else { return TableRequest.Answer(.null) }
        var value = value
        var retries = 0
        while true {
            let request = try Self.request(name, isVersioned, value, program, place)
            let answer = await Self.answer(to: request, services, place, until: call.clock.end)
            guard answer.failsCondition, retries < UnmetConditionFunction.retriesMax,
                let arn = request.conditionFunction
            else { return answer }
            do throws(ResolverError) {
                switch try await UnmetConditionFunction(arn: arn).decision(
                    on: value, to: name, stored: answer.result, step, program, call, place)
                {
                case .reject: return answer
                case .discard: return TableRequest.Answer(answer.result)
                case .retry(let other): value = other
                }
                retries += 1
            } catch {
                return TableRequest.Answer(answer.result, error: error)
            }
        }
    }

    private static func answer(
        to request: TableRequest, _ services: any ResolverServices, _ place: CallPlace, until end: Int64
    ) async -> TableRequest.Answer {
        let result = await services.callTables(
            request.operation, request.body, isPlain: request.readsPlain, until: end, at: place.tables)
        if case .success = result, let read = request.readBack,
            case .success(let stored) = await services.callTables(
                read.operation, read.body, isPlain: true, until: end, at: place.tables), let item = stored["Item"]
        {
            return TableRequest.Answer(item)
        }
        return answer(result, to: request)
    }

    /// The answer of a source that has it at once; nil where it has to be waited for, and nothing has been done. Throws as `answer` does.
    static func answerNow(
        to value: JSONValue, of step: ResolverProgram.Step, _ program: ResolverProgram, _ place: CallPlace
    ) throws(ResolverError) -> TableRequest.Answer? {
        switch step.source {
        case .none: return TableRequest.Answer(value["payload"] ?? .null)
        case .table(let name, let isVersioned):
            guard let services = place.directory.services, let tables = place.tables else { return nil }
            let request = try request(name, isVersioned, value, program, place)
            guard request.readBack == nil else { return nil }
            return services.callTablesNow(request.operation, request.body, isPlain: request.readsPlain, at: tables)
                .map { answer($0, to: request) }
        default: return nil
        }
    }

    private static func request(
        _ name: String, _ isVersioned: Bool, _ value: JSONValue, _ program: ResolverProgram, _ place: CallPlace
    ) throws(ResolverError) -> TableRequest {
        try TableRequest(
            value, to: TableRequest.Source(table: name, isVersioned: isVersioned, scope: program.path), place.cursors,
            now: Timestamp.now.millisecondsSince1970)
    }

    private static func answer(
        _ result: Result<JSONObject, TableRefusal>, to request: TableRequest
    ) -> TableRequest.Answer {
        switch result {
        case .success(let answer): request.answer(answer)
        case .failure(let refusal):
            request.refusal(
                type: refusal.type, message: refusal.message, item: refusal.item, reasons: refusal.reasons,
                identifier: requestIdentifier())
        }
    }

    private static func requestIdentifier() -> String { Base32.text(of: RandomBytes.make(count: identifierBytes)) }

    private static let identifierBytes = 30

    // MARK: Language models

    /// `{operation: "Converse", modelId, messages, …}`, `{operation: "InvokeModel", modelId, body}`
    private func model(_ value: JSONValue) async throws(ResolverError) -> TableRequest.Answer {
        let fields = try RequestMembers(value)
        let operation = try fields.text("operation", isRequired: true) ?? ""
        let model = try fields.text("modelId", isRequired: true) ?? ""
        let body: JSONValue
        switch operation {
        case "InvokeModel": body = fields.value("body") ?? .null
        case "Converse":
            var members = JSONObject((value.object ?? JSONObject()).map { ($0.key, $0.value) })
            for name in ["operation", "modelId"] { members.remove(name) }
            body = .object(members)
        default:
            throw ResolverError(
                "Unsupported operation '\(operation)' for a language model. See $[operation].", type: "MappingTemplate")
        }
        guard let services = place.directory.services else { return TableRequest.Answer(.null) }
        let bytes = body.string.map { Array($0.utf8) } ?? JSONWriter.bytes(of: body)
        let response = await services.askModel(
            "/model/\(model)/\(operation == "Converse" ? "converse" : "invoke")", bytes)
        let answer = (try? JSONReader.value(of: response.body)) ?? .null
        guard (200..<300).contains(response.status) else {
            let type = response.field("x-amzn-errortype") ?? "ModelErrorException"
            return TableRequest.Answer(
                .null, error: ResolverError(answer["message"]?.string ?? "The model failed", type: "Bedrock:\(type)"))
        }
        return TableRequest.Answer(answer)
    }

    // MARK: Events

    private static let eventsMax = 10

    private func events(_ bus: String, _ value: JSONValue) async throws(ResolverError) -> TableRequest.Answer {
        let fields = try RequestMembers(value)
        guard try fields.text("operation", isRequired: true) == "PutEvents" else {
            throw ResolverError("Unsupported operation for a bus of events. See $[operation].", type: "MappingTemplate")
        }
        let events = try fields.list("events")
        guard (1...Self.eventsMax).contains(events.count) else {
            throw ResolverError("A request has from 1 to \(Self.eventsMax) events.", type: "MappingTemplate")
        }
        var entries: [JSONValue] = []
        for event in events {
            let event = try RequestMembers(event)
            var entry = JSONObject([("EventBusName", .string(bus))])
            if let source = try event.text("source") { entry.set("Source", to: .string(source)) }
            for name in ["detail-type", "detailType"] {
                if let type = try event.text(name) { entry.set("DetailType", to: .string(type)) }
            }
            if let detail = event.value("detail") {
                entry.set("Detail", to: .string(detail.string ?? JSONWriter.text(of: detail)))
            }
            if let resources = event.value("resources") { entry.set("Resources", to: resources) }
            if let time = event.value("time") { entry.set("Time", to: time) }
            entries.append(.object(entry))
        }
        guard let services = place.directory.services else { return TableRequest.Answer(.null) }
        switch await services.putEvents(JSONObject([("Entries", .array(entries))])) {
        case .success(let answer): return TableRequest.Answer(.object(answer))
        case .failure(let refusal):
            return TableRequest.Answer(
                .null, error: ResolverError(refusal.message, type: "EventBridge:\(refusal.type)"))
        }
    }
}
