import JSON
import Network

/// An operation in the parameters of a URL.
enum GraphQLQuery {
    /// The same as the body of a POST; empty when there is no operation.
    static func body(of query: String) -> [UInt8] {
        var members = JSONObject()
        for (name, value) in HTTPPercentCoding.parameters(of: query) where !value.isEmpty {
            switch name {
            case "query", "operationName": members.set(name, to: .string(value))
            case "variables", "extensions":
                // What is no JSON is refused like the same in a body.
                members.set(name, to: (try? JSONReader.value(of: value)) ?? .string(value))
            default: break
            }
        }
        return members.isEmpty ? [] : JSONWriter.bytes(of: .object(members))
    }
}
