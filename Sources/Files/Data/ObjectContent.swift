import JSON

/// What a client says of an object beside its bytes: fields that are sent with it, its metadata, its tags.
struct ObjectContent: Sendable {
    struct Pair: Sendable, Equatable {
        let name: String
        let value: String

        static func == (left: Pair, right: Pair) -> Bool {
            ByteText(left.name) == ByteText(right.name) && ByteText(left.value) == ByteText(right.value)
        }
    }

    /// The fields that go back as they came.
    enum Field: String, CaseIterable, Sendable {
        case contentType = "content-type"
        case cacheControl = "cache-control"
        case contentDisposition = "content-disposition"
        case contentEncoding = "content-encoding"
        case contentLanguage = "content-language"
        case expires
    }

    var fields: [Field: String] = [:]
    /// Without `x-amz-meta-`, in lower case.
    var metadata: [Pair] = []
    var tags: [FileTag] = []

    /// What an object is called that nobody has given a type.
    static let usualType = "binary/octet-stream"

    // As it is stored.

    var stored: String {
        var object = JSONObject()
        for field in Field.allCases {
            if let value = fields[field] { object.set(field.rawValue, to: .string(value)) }
        }
        if !metadata.isEmpty { object.set("metadata", to: Self.stored(metadata)) }
        if !tags.isEmpty { object.set("tags", to: Self.stored(tags.map { Pair(name: $0.key, value: $0.value) })) }
        return JSONWriter.text(of: .object(object))
    }

    init() {}

    init(stored: [UInt8]) {
        // Nothing was said of most.
        guard stored.count > "{}".utf8.count else { return }
        guard let object = try? JSONReader.value(of: stored).object else { return }
        for field in Field.allCases { fields[field] = object[field.rawValue]?.string }
        metadata = Self.pairs(object["metadata"])
        tags = Self.pairs(object["tags"]).map { FileTag(key: $0.name, value: $0.value) }
    }

    private static func stored(_ pairs: [Pair]) -> JSONValue {
        .array(pairs.map { .array([.string($0.name), .string($0.value)]) })
    }

    private static func pairs(_ value: JSONValue?) -> [Pair] {
        (value?.array ?? []).compactMap { pair in
            guard let parts = pair.array, parts.count == 2, let name = parts[0].string, let value = parts[1].string
            else { return nil }
            return Pair(name: name, value: value)
        }
    }
}
