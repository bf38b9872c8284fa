import JSON
import Network
import Threads

/// Answers by the rules of a file: the first that a request meets. The file is read for each request, so that a test may change it.
struct RuleBackend: LanguageBackend {
    private let path: String
    /// A file is read beside the loops.
    private let disk = WorkersAside(threadsMax: 1, niceness: 0)

    init(_ path: String) { self.path = path }

    func answer(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer {
        try await rule(for: request).answer(to: request)
    }

    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        let rule = try await rule(for: request)
        let events = try rule.answer(to: request).events { rule.chunks ?? ConverseEvent.pieces(of: $0) }
        // One that breaks off has said something before.
        for event in events {
            if let fault = rule.fault, case .messageStop = event { throw fault }
            try await tell(event)
        }
    }

    private func rule(for request: ConverseRequest) async throws(LanguageError) -> LanguageRule {
        let outcome = await disk.value { [path] () -> Result<[LanguageRule], LanguageError> in
            do throws(LanguageError) {
                return .success(try LanguageRule.rules(in: path))
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw .tooManyCalls }
        if let rule = try outcome.get().first(where: { $0.isMet(by: request) }) { return rule }
        throw .invalid(
            "No rule of \(path) is met by this request: add one for the model \(request.model) and the prompt "
                + "\(JSONWriter.text(of: .string(LanguageError.shortened(request.prompt)))).")
    }
}

/// A rule of a file for tests: what it is for, and what it says.
struct LanguageRule: Sendable {
    private let model: String?
    private let prompt: String?
    private let system: String?
    private let afterTool: String?
    private let content: [ContentBlock]
    let chunks: [String]?
    let fault: LanguageError?

    static func rules(in path: String) throws(LanguageError) -> [LanguageRule] {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, bytesMax: LanguageLimits.rulesBytesMax)
        } catch {
            throw .unavailable("The rules of bedrock.rules cannot be read: \(path): \(error)")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: bytes)
        } catch {
            throw .unavailable("\(path) is no JSON: \(error)")
        }
        guard let list = value["rules"]?.array else {
            throw .unavailable("\(path) has no list \"rules\": docs/ai.md shows one.")
        }
        guard list.count <= LanguageLimits.rulesMax else {
            throw .unavailable("\(path) has more than \(LanguageLimits.rulesMax) rules.")
        }
        var rules: [LanguageRule] = []
        for (number, rule) in list.enumerated() { rules.append(try LanguageRule(rule, number: number, in: path)) }
        return rules
    }

    private static let names = ["model", "prompt", "system", "afterTool", "text", "chunks", "toolUse", "error"]

    private init(_ value: JSONValue, number: Int, in path: String) throws(LanguageError) {
        func wrong(_ what: String) -> LanguageError { .unavailable("\(path): rules[\(number)]: \(what)") }
        guard let object = value.object else { throw wrong("a rule is an object") }
        for member in object where !Self.names.contains(member.key) {
            throw wrong("there is no \"\(member.key)\": a rule has \(Self.names.joined(separator: ", "))")
        }
        func text(_ name: String) throws(LanguageError) -> String? {
            guard let value = object[name], !value.isNull else { return nil }
            guard let text = value.string else { throw wrong("\(name) is a string, and here \(value.kind)") }
            return text
        }
        model = try text("model")
        prompt = try text("prompt")
        system = try text("system")
        afterTool = try text("afterTool")
        var content: [ContentBlock] = []
        chunks = object["chunks"]?.array?.compactMap(\.string)
        if let said = try text("text") ?? chunks?.joined() { content.append(.text(said)) }
        let uses = object["toolUse"]?.array ?? object["toolUse"].map { [$0] } ?? []
        for use in uses {
            guard let name = use["name"]?.string else { throw wrong("a toolUse has a name") }
            content.append(
                .toolUse(
                    ToolUse(
                        id: use["toolUseId"]?.string ?? ToolUse.makeIdentifier(), name: name,
                        input: use["input"] ?? .object(JSONObject()))))
        }
        self.content = content
        fault = object["error"].map { error in
            let type = error["type"]?.string ?? "ModelErrorException"
            return LanguageError(
                type, error["message"]?.string ?? "The rule says that it fails.", status: LanguageError.status(of: type)
            )
        }
        if content.isEmpty, fault == nil { throw wrong("it has neither text, chunks, toolUse nor error") }
    }

    func isMet(by request: ConverseRequest) -> Bool {
        if let model, !request.model.contains(bytesOf: model) { return false }
        if let prompt, !request.prompt.contains(bytesOf: prompt) { return false }
        if let system, !request.system.joined(separator: "\n").contains(bytesOf: system) { return false }
        if let afterTool, !Self.hasResult(of: afterTool, request) { return false }
        // Without a word about tools, a rule that uses one is not for its result: it would use it for ever.
        return afterTool != nil || content.allSatisfy { $0.toolUse == nil } || !Self.endsWithResult(request)
    }

    private static func endsWithResult(_ request: ConverseRequest) -> Bool {
        request.messages.last?.content.contains { if case .toolResult = $0 { true } else { false } } ?? false
    }

    private static func hasResult(of name: String, _ request: ConverseRequest) -> Bool {
        let uses = request.messages.flatMap(\.content).compactMap(\.toolUse).filter {
            ByteText($0.name) == ByteText(name)
        }
        return request.messages.last?.content.contains { block in
            guard case .toolResult(let result) = block else { return false }
            return uses.contains { ByteText($0.id) == ByteText(result.id) }
        } ?? false
    }

    /// The answer; throws where there is none before it fails.
    func answer(to request: ConverseRequest) throws(LanguageError) -> ConverseAnswer {
        if let fault, content.isEmpty { throw fault }
        let usesTool = content.contains { $0.toolUse != nil }
        let output = content.compactMap(\.text).reduce(0) { $0 + TokenUsage.estimate($1) }
        return ConverseAnswer(
            content, stopReason: usesTool ? "tool_use" : "end_turn",
            usage: TokenUsage(input: TokenUsage.estimate(request.prompt), output: output))
    }
}
