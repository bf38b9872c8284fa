import Blueprint
import GraphQL
import JSON
import Testing

@testable import Engine

/// Writes a value as the field `value` of a query, with whatever the schema and the selection say.
struct ValueBench {
    struct Answer: Equatable, CustomStringConvertible {
        /// What was written; nil where null rose beyond the field.
        let text: String?
        let errors: [GraphQLError]

        var messages: [String] { errors.map(\.message) }
        var paths: [String] { errors.map { $0.path?.description ?? "" } }
        var description: String { "\(text ?? "nothing") \(messages)" }
    }

    let document: ExecutableDocument
    let group: CollectFields.Group
    let field: SchemaField
    let plan: ValuePlan

    /// `type` is that of the field `value`, `types` what else the schema has.
    init(
        _ type: String, _ types: String = "", query: String = "{ value }", computing names: Set<String> = []
    ) throws {
        try self.init(type, types, query: query) { (field, _, _) throws(GraphQLError) in
            names.contains(field.name) ? .engine(0) : nil
        }
    }

    init(_ type: String, _ types: String, query: String, by computing: ValuePlan.Computing) throws {
        let text = "type Query { value: \(type) } \(types)"
        let schema = try Schema(Document(parsing: Source(text), limits: .schema))
        guard case .ready(let document) = Phases.prepare(Array(query.utf8), schema: schema) else {
            throw Failure(description: "the query is not valid")
        }
        self.document = document
        let root = try #require(schema.queryType)
        let selectionSet = try #require(document.operations.first).selectionSet
        group = try #require(CollectFields.groups(of: root, selectionSet, in: document).first)
        field = try #require(schema.field(named: "value", of: root))
        plan = try ValuePlan(field.type, group, in: document, computing: computing)
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    var path: ResponsePath { ResponsePath([.name(group.responseName)]) }

    func write(
        _ value: String, variables: VariableValues = .none, outcomes: [ResponsePath: FieldOutcome] = [:],
        permits: ValueWriter.Permission? = nil
    ) throws -> Answer {
        try write(.value(JSONReader.value(of: value)), variables: variables, outcomes: outcomes, permits: permits)
    }

    func write(
        _ outcome: FieldOutcome, variables: VariableValues = .none, outcomes: [ResponsePath: FieldOutcome] = [:],
        permits: ValueWriter.Permission? = nil, bytesMax: Int = .max
    ) throws -> Answer {
        var writer = ResponseWriter(bytesMax: bytesMax, at: path)
        writer.bytes = Array("before".utf8)
        var values = ValueWriter(variables, outcomes: outcomes, permits: permits)
        let completion = try values.complete(outcome, plan, of: "Query", in: &writer)
        if writer.isTooLong { throw ResponseTooLong() }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.hasPrefix("before"))
        if completion != .written { #expect(text == "beforenull") }
        return Answer(text: completion == .broken ? nil : String(text.dropFirst(6)), errors: writer.errors)
    }
}
