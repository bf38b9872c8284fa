import Cloud
import JSON

typealias PoolInput = CallInput

extension CallInput {
    /// A text that has to be there: its shape says so.
    func required(_ name: String) throws(PoolError) -> String {
        guard let text = text(name) else {
            throw .invalidParameter("Missing required parameter \(name)")
        }
        return text
    }

    /// The attributes of a user, each of which is named once: of two values nobody knows which is meant.
    func userAttributes() throws(PoolError) -> JSONObject {
        var names: Set<ByteText> = []
        for name in (members["UserAttributes"]?.array ?? []).compactMap({ $0["Name"]?.string })
        where !names.insert(ByteText(name)).inserted {
            throw .invalidParameter(
                "Attributes did not conform to the schema: \(name): Attribute is named more than once")
        }
        return attributes("UserAttributes")
    }

    /// Attributes as `[{Name, Value}]`. The same name twice has its last value.
    func attributes(_ name: String) -> JSONObject {
        var attributes = JSONObject()
        for member in members[name]?.array ?? [] {
            guard let key = member["Name"]?.string else { continue }
            attributes.set(key, to: .string(AttributeSchema.known(key, member["Value"]?.string ?? "")))
        }
        return attributes
    }
}
