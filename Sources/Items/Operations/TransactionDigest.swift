import Crypto
import JSON

/// The digest of a transaction as it is meant: a client token stands for that, and not for the bytes of one request.
///
/// SDKs whose maps have no order, such as those for Go, Java and Swift, write a request that they try again in another order. Neither
/// the order of members nor that of the elements of sets counts; that of the writes does.
enum TransactionDigest {
    static func of(_ entries: [RequestFields]) throws(ItemError) -> [UInt8] {
        var writes: [JSONValue] = []
        for entry in entries { try writes.append(meaning(of: entry)) }
        return Digest.sha256.of(JSONWriter.bytes(of: .array(writes)))
    }

    private static func meaning(of entry: RequestFields) throws(ItemError) -> JSONValue {
        var write: [(String, JSONValue)] = []
        for member in ordered(entry.object) where !member.value.isNull {
            guard let content = member.value.object else { continue }
            var fields: [(String, JSONValue)] = []
            for field in ordered(content) where !field.value.isNull {
                switch field.key {
                case "Item", "Key", "ExpressionAttributeValues":
                    try fields.append((field.key, Item(json: field.value).json))
                default: fields.append((field.key, ordered(field.value)))
                }
            }
            write.append((member.key, .object(JSONObject(fields))))
        }
        return .object(JSONObject(write))
    }

    private static func ordered(_ object: JSONObject) -> [JSONObject.Member] {
        object.members.sorted { $0.key.compareBytes(to: $1.key) < 0 }
    }

    /// What is no attribute is a text, or an object of texts (`ExpressionAttributeNames`).
    private static func ordered(_ value: JSONValue) -> JSONValue {
        guard let object = value.object else { return value }
        return .object(JSONObject(distinct: ordered(object)))
    }
}
