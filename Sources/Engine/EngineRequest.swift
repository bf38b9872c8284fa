import GraphQL
import JSON

/// What a client asks for: the members of a request's body that are known. Others are ignored, as AppSync does.
struct EngineRequest {
    let query: [UInt8]
    let variables: JSONObject
    let operationName: String?

    init(parsing body: [UInt8]) throws(RequestError) {
        guard !body.isEmpty else { throw .emptyBody }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: body)
        } catch {
            throw .unparsable
        }
        guard case .object(let members) = value, let query = members["query"]?.string else { throw .unparsable }
        self.query = Array(query.utf8)
        switch members["variables"] {
        case nil, .null?: variables = JSONObject()
        case .object(let object)?: variables = object
        default: throw .unparsable
        }
        switch members["operationName"] {
        case nil, .null?: operationName = nil
        case .string(let name)?: operationName = name
        default: throw .unparsable
        }
    }
}
