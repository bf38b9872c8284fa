import Access
import Engine
import GraphQL
import JSON
import Store

/// What happened to a request, as the API writes it: the head of a story, and the whole of it.
struct StoryJSON: Sendable {
    /// What the head of a story says.
    struct Head: Sendable {
        var id: Int64 = 0
        var at: Int64 = 0
        /// The service that was asked; nil: the API.
        var service: String?
        var operation: String?
        var name: String?
        var fields: [String] = []
        var models: [String] = []
        var callerLabel = ""
        var callerMode = ""
        var callerDetail = ""
        var transport = "http"
        var status = 200
        var isSubscription = false
        var errors: [JSONValue] = []
        var nanoseconds: UInt64 = 0
        var bytesIn = 0
        var bytesOut = 0

        var result: String {
            if status == 401 || status == 403 { return "denied" }
            if status >= 400 { return "refused" }
            if errors.isEmpty { return "ok" }
            return errors.contains { $0["errorType"]?.text == "Unauthorized" } ? "denied" : "error"
        }
    }

    static func head(_ head: Head, _ story: OperationStory?) -> JSONObject {
        var json = JSONObject()
        json["id"] = .integer(head.id)
        json["at"] = .moment(head.at)
        json["kind"] = .string(head.isSubscription ? "subscription" : "request")
        json["service"] = .text(head.service)
        json["operation"] = .text(head.operation)
        json["name"] = .text(head.name)
        json["fields"] = .texts(head.fields)
        json["models"] = .texts(head.models)
        json["caller"] = [
            "label": .string(head.callerLabel), "mode": .string(head.callerMode), "detail": .string(head.callerDetail),
        ]
        json["transport"] = .string(head.transport)
        json["result"] = .string(head.result)
        json["status"] = .integer(Int64(head.status))
        json["errors"] = .array(Array(head.errors.prefix(20)))
        json["milliseconds"] = .milliseconds(nanoseconds: head.nanoseconds)
        json["bytesIn"] = .count(head.bytesIn)
        json["bytesOut"] = .count(head.bytesOut)
        if let story {
            json["rowsRead"] = .count(story.statements.statements.reduce(0) { $0 + $1.rows })
            json["rowsWritten"] = .count(story.statements.rowsWritten)
            json["planCached"] = story.isPlanCached.map(JSONValue.bool) ?? .null
        }
        return json
    }

    /// All of it. Asks SQLite how it finds rows: beside the loop.
    static func whole(_ head: Head, _ story: OperationStory, _ reader: Reader?) -> JSONObject {
        var json = Self.head(head, story)
        json["steps"] = .array(
            story.steps.map { step in
                [
                    "what": .string(step.what), "detail": .text(step.detail),
                    "milliseconds": .milliseconds(nanoseconds: step.nanoseconds),
                ]
            })
        json["statements"] = .array(
            story.statements.statements.map { statement in
                [
                    "sql": .string(statement.sql), "plan": .texts(reader?.plan(of: statement) ?? []),
                    "count": .count(statement.count), "rows": .count(statement.rows),
                    "milliseconds": .milliseconds(nanoseconds: statement.nanoseconds),
                ]
            })
        json["commit"] =
            story.commitNanoseconds.map { nanoseconds in
                [
                    "milliseconds": .milliseconds(nanoseconds: nanoseconds),
                    "shared": .count(story.statements.groupSize),
                ]
            } ?? .null
        if story.body.isEmpty {
            json["queryBytes"] = .count(story.bodyBytes)
        } else if let request = try? JSONReader.value(of: story.body) {
            json["query"] = request["query"] ?? .null
            json["variables"] = request["variables"] ?? .null
        }
        return json
    }

    /// What an operation is, as its text says: its kind, its name, its fields, and the models that they are about.
    static func describe(_ body: [UInt8], _ head: inout Head, _ models: ModelNames) {
        head.bytesIn = body.count
        guard let request = try? JSONReader.value(of: body), let text = request["query"]?.string,
            let document = try? Document(parsing: text)
        else {
            head.name = unreadable(body)
            return
        }
        let wanted = request["operationName"]?.text
        let operations = document.operations
        let operation =
            operations.first { wanted == nil || $0.name.map { ByteText($0.text) } == wanted } ?? operations.first
        guard let operation else { return }
        head.operation = operation.operation.rawValue
        head.name = operation.name?.text
        head.isSubscription = operation.operation == .subscription
        head.fields = operation.selectionSet.prefix(10).compactMap { selection in
            if case .field(let field) = selection { field.name.text } else { nil }
        }
        head.models = head.fields.compactMap { models.model(ofField: $0) }.eachOnce()
    }

    /// The beginning of a text that is no operation, on one line.
    private static func unreadable(_ body: [UInt8]) -> String {
        let request = try? JSONReader.value(of: body)
        let text = request?["query"]?.string.map { Array($0.utf8) } ?? body
        let words = text.prefix(ConsoleLimits.unreadableBytesMax).split { $0 <= UInt8(ascii: " ") }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}
