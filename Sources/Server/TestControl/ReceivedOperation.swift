import GraphQL
import JSON
import Realtime

/// An operation of GraphQL as it came, for the list of requests and for rules.
struct ReceivedOperation: Sendable {
    /// The name that it has in the document, or that the request says.
    var name: String?
    /// The fields that it selects first.
    var fields: [String] = []
    let query: String
    let variables: JSONObject

    private static let fieldsMax = 100

    /// Nil where a body is none.
    init?(body: [UInt8]) {
        guard let request = OperationRequest(parsing: body) else { return nil }
        self.init(request)
    }

    init(_ request: OperationRequest) {
        query = request.query
        variables = request.variables
        name = request.operationName
        guard let document = try? Phases.parse(Source(request.query)) else { return }
        let operations = document.operations
        let named = operations.first { operation in
            guard let name = request.operationName else { return true }
            return operation.name.map { ByteText($0.text) } == ByteText(name)
        }
        guard let operation = named else { return }
        if operations.count == 1 || request.operationName != nil { name = name ?? operation.name?.text }
        var fragments: [ByteText: FragmentDefinition] = [:]
        for case .fragment(let fragment) in document.definitions { fragments[fragment.name.text] = fragment }
        collect(operation.selectionSet, &fragments)
    }

    /// Each fragment is looked through once.
    private mutating func collect(_ selections: SelectionSet, _ fragments: inout [ByteText: FragmentDefinition]) {
        for selection in selections where fields.count < Self.fieldsMax {
            switch selection {
            case .field(let field): fields.append(field.name.text)
            case .inlineFragment(let fragment): collect(fragment.selectionSet, &fragments)
            case .fragmentSpread(let spread):
                guard let fragment = fragments.removeValue(forKey: ByteText(spread.name.text)) else { continue }
                collect(fragment.selectionSet, &fragments)
            }
        }
    }
}
