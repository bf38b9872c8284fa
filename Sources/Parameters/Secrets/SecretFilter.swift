import Cloud
import JSON

/// A condition of a list of secrets: `{"Key": "name", "Values": ["prefix"]}`.
///
/// A name and a tag begin with one of the values. In descriptions, and where the key is `all`, each word of a value begins a word of the
/// text, whether letters are small or not.
struct SecretFilter {
    private enum Key: String {
        case name, description
        case tagKey = "tag-key"
        case tagValue = "tag-value"
        case owningService = "owning-service"
        case primaryRegion = "primary-region"
        case all
    }

    private let key: Key
    private let values: [Value]

    private struct Value {
        let text: String
        /// True if it began with `!`: it asks for those that do not match.
        let isDenied: Bool
        let words: [[UInt8]]
    }

    /// As the service lists them where a filter has another.
    static let keys = ["description", "name", "tag-key", "tag-value", "primary-region", "owning-service", "all"]

    static func filters(of list: [JSONValue]?) throws(CloudError) -> [SecretFilter] {
        var filters: [SecretFilter] = []
        for element in list ?? [] {
            guard let key = element["Key"]?.string.flatMap(Key.init) else { continue }
            let values = element["Values"]?.array?.compactMap(\.string) ?? []
            guard !values.isEmpty else { throw .invalidSecret("Invalid filter values for key: \(key.rawValue)") }
            filters.append(SecretFilter(key: key, values: values.map(value)))
        }
        return filters
    }

    private static func value(_ said: String) -> Value {
        let isDenied = said.utf8.first == UInt8(ascii: "!")
        let text = isDenied ? String(Substring(said.utf8.dropFirst())) : said
        return Value(text: text, isDenied: isDenied, words: words(of: text))
    }

    static func all(_ filters: [SecretFilter], _ name: String, _ secret: JSONObject) -> Bool {
        filters.allSatisfy { $0.passes(name, secret) }
    }

    private func passes(_ name: String, _ secret: JSONObject) -> Bool {
        let tags = secret["tags"]?.array ?? []
        let description = secret["description"]?.string
        let texts: [String]
        switch key {
        case .name: texts = [name]
        case .description: texts = description.map { [$0] } ?? []
        case .tagKey: texts = tags.compactMap { $0["Key"]?.string }
        case .tagValue: texts = tags.compactMap { $0["Value"]?.string }
        case .owningService, .primaryRegion: texts = []
        case .all:
            texts =
                [name] + (description.map { [$0] } ?? [])
                + tags.flatMap { [$0["Key"]?.string, $0["Value"]?.string].compactMap(\.self) }
        }
        let isOfWords = key == .all || key == .description
        let words = isOfWords ? texts.map(Self.words) : []
        return values.contains { value in
            let isFound =
                isOfWords
                ? words.contains { Self.have($0, value.words) }
                : texts.contains { $0.utf8.starts(with: value.text.utf8) }
            return isFound != value.isDenied
        }
    }

    // MARK: Words

    private static func have(_ words: [[UInt8]], _ wanted: [[UInt8]]) -> Bool {
        !wanted.isEmpty && wanted.allSatisfy { wanted in words.contains { $0.starts(with: wanted) } }
    }

    private static let separators = Set("/-_+=.@".utf8)

    /// The words of a text, in small letters. A text with two kinds of separators is one word.
    private static func words(of text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        let found = Set(bytes.filter(separators.contains))
        guard found.count <= 1 else { return [bytes.map(lowered)] }
        return bytes.split { found.contains($0) }.flatMap { capitalized(Array($0)) }
    }

    /// Words begin where small letters follow another character: `one two`, `MyTest`, and `COMPANYthings` as `COMPAN` and `Ythings`.
    private static func capitalized(_ bytes: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        var isWithin = false
        for index in bytes.indices {
            let isSmall = isSmall(bytes[index])
            let begins = !isSmall && index + 1 < bytes.count && Self.isSmall(bytes[index + 1])
            if begins || (isWithin && !isSmall) { words.append([]) }
            if begins { isWithin = true } else if !isSmall { isWithin = false }
            words[words.count - 1].append(lowered(bytes[index]))
        }
        return words.map { $0.filter { $0 != 0x20 } }.filter { !$0.isEmpty }
    }

    private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
