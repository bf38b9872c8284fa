import Access
import Blueprint
import JSON

/// What a trace says of denials, in the words of the schema: which rules were asked, where they stand, and who would have been let in.
struct DenialReport: Sendable {
    let view: SchemaView
    let caller: ResolvedCaller

    private static let denialsMax = 50

    /// - Parameter errors: those of the response, to say which of them a denial explains.
    func json(_ trace: DecisionTrace, errors: [JSONValue]) -> JSONValue {
        var seen: Set<ByteText> = []
        let denials = trace.denials.filter { block in
            seen.insert(ByteText(block.map { "\($0.question)|\($0.rule)|\($0.reason)" }.joined(separator: "\n")))
                .inserted
        }
        let unauthorized = errors.filter { $0["errorType"]?.text == "Unauthorized" }
        return .array(denials.prefix(Self.denialsMax).map { json($0, unauthorized) })
    }

    /// What was asked, taken apart: `update Post`, `read Post.secret`, `query Post by byAuthor`, `listen to Post`.
    struct Question {
        let operation: String
        let model: String
        let field: String?

        init(_ text: String) {
            var words = text.words
            operation = words.isEmpty ? "" : words.removeFirst()
            if ["to", "for"].contains(words.first ?? "") { words.removeFirst() }
            let parts = (words.first ?? "").parts(separatedBy: ".")
            model = parts.first ?? ""
            field = parts.count > 1 ? parts.dropFirst().joined(separator: ".") : nil
        }
    }

    private func json(_ block: [DecisionTrace.Step], _ errors: [JSONValue]) -> JSONValue {
        let question = Question(block.first?.question ?? "")
        return .members([
            "question": .string(block.first?.question ?? ""), "who": .string(caller.label),
            "caller": .string("\(caller.label) (\(caller.detail))"), "model": .string(question.model),
            "operation": .string(question.operation), "field": .text(question.field),
            "path": path(of: question, errors), "rules": .array(steps(block)),
            "allowed": .array(allowed(question, block)),
        ])
    }

    /// The steps of a question, each with the rule that it is about.
    func steps(_ block: [DecisionTrace.Step]) -> [JSONValue] {
        let question = Question(block.first?.question ?? "")
        var last: RuleBook.Entry?
        return block.map { step in
            let isRecord = ByteText(step.rule) == ByteText(DecisionTrace.record)
            let entry =
                isRecord ? last : view.rules.entry(labelled: step.rule, of: question.model, question.field)
            if !isRecord { last = entry }
            return .members([
                "rule": .string(entry.map { RuleBook.text($0.rule) } ?? step.rule), "id": .text(entry?.id),
                "place": entry.map { view.places.place($0.rule.position) } ?? .null,
                "verdict": .string(step.verdict.rawValue), "reason": .string(step.reason),
                "isRecord": .bool(isRecord),
            ])
        }
    }

    /// The error that a denial explains: the one at the field of its operation, or at the field itself.
    private func path(of question: Question, _ errors: [JSONValue]) -> JSONValue {
        let operations = view.blueprint.model(named: question.model)?.operations
        let names: [String?]
        switch question.operation {
        case "get": names = [operations?.get]
        case "list": names = [operations?.list]
        case "sync": names = [operations?.sync]
        case "create": names = [operations?.create]
        case "update": names = [operations?.update]
        case "delete": names = [operations?.delete]
        default: names = [question.field]
        }
        let found = errors.first { error in
            guard let last = error["path"]?.array?.compactMap(\.string).last else { return false }
            return names.contains { $0.map { ByteText($0) == ByteText(last) } ?? false }
        }
        return found?["path"] ?? (errors.count == 1 ? errors[0]["path"] ?? [] : [])
    }

    /// Who would be let in, each to become with a click.
    private func allowed(_ question: Question, _ block: [DecisionTrace.Step]) -> [JSONValue] {
        let ofField = question.field.map { view.rules.entries(of: "\(question.model).\($0)") } ?? []
        let entries = ofField.isEmpty ? view.rules.entries(of: question.model) : ofField
        let operation = Self.operation(question.operation)
        let compared = block.compactMap(\.compared)
        var found: [JSONValue] = []
        for entry in entries where operation.map({ entry.rule.operations.isSuperset(of: $0) }) ?? true {
            let admitted = AdmittedCallers(rule: entry.rule, compared: compared, settings: view.blueprint.settings)
            found += admitted.json
        }
        var seen: Set<ByteText> = []
        return found.filter { seen.insert(ByteText(JSONWriter.text(of: $0))).inserted }
    }

    private static func operation(_ word: String) -> OperationSet? {
        switch word {
        case "read", "follow": nil
        case "query": .list
        default: OperationSet(name: word)
        }
    }
}
