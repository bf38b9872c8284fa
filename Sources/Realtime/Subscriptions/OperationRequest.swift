import JSON

/// What a client asks for, in whatever protocol: a document, the operation of it, its variables.
package struct OperationRequest: Sendable, Equatable {
    package let query: String
    package let operationName: String?
    package let variables: JSONObject

    package init(query: String, operationName: String? = nil, variables: JSONObject = JSONObject()) {
        self.query = query
        self.operationName = operationName
        self.variables = variables
    }

    /// Reads the members that are known; nil when one is missing or is something else.
    init?(_ value: JSONValue) {
        guard case .object(let members) = value, let query = members["query"]?.string else { return nil }
        switch members["variables"] {
        case nil, .null?: variables = JSONObject()
        case .object(let object)?: variables = object
        default: return nil
        }
        switch members["operationName"] {
        case nil, .null?: operationName = nil
        case .string(let name)?: operationName = name
        default: return nil
        }
        self.query = query
    }

    /// Reads the body of an HTTP request; nil when it is none.
    package init?(parsing body: [UInt8]) {
        do throws(JSONError) {
            self.init(try JSONReader.value(of: body))
        } catch {
            return nil
        }
    }

    /// The same as the body of an HTTP request.
    package var body: [UInt8] {
        var members: [(String, JSONValue)] = [("query", .string(query)), ("variables", .object(variables))]
        if let operationName { members.append(("operationName", .string(operationName))) }
        return JSONWriter.bytes(of: .object(JSONObject(members)))
    }
}
