import JSON

/// The members of a call. A form has texts where JSON has numbers.
struct QueueInput: Sendable {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func text(_ name: String) throws(QueueError) -> String? {
        switch value[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default:
            throw QueueError("SerializationException", code: "MalformedInput", "\(name) must be a string.")
        }
    }

    func demanded(_ name: String) throws(QueueError) -> String {
        guard let text = try text(name) else { throw .missing(name) }
        return text
    }

    func number(_ name: String, from range: ClosedRange<Int64>, _ reason: String? = nil) throws(QueueError) -> Int64? {
        let number: Int64?
        switch value[name] {
        case nil, .null?: return nil
        case .integer(let integer)?: number = integer
        case .string(let text)?: number = Int64(text)
        default: number = nil
        }
        guard let number, range.contains(number) else {
            throw .invalid(
                value[name].map { $0.string ?? JSONWriter.text(of: $0) } ?? "", of: name,
                reason ?? "Must be between \(range.lowerBound) and \(range.upperBound), if provided.")
        }
        return number
    }

    func texts(_ name: String) throws(QueueError) -> [String] {
        guard let value = value[name], !value.isNull else { return [] }
        guard let list = value.array else {
            throw QueueError("SerializationException", code: "MalformedInput", "\(name) must be a list.")
        }
        return list.compactMap(\.string)
    }

    func object(_ name: String) throws(QueueError) -> JSONObject {
        guard let value = value[name], !value.isNull else { return JSONObject() }
        guard let object = value.object else {
            throw QueueError("SerializationException", code: "MalformedInput", "\(name) must be an object.")
        }
        return object
    }

    /// The entries of a batch, each with its name.
    ///
    /// - Parameter kind: what the service calls one.
    func entries(_ kind: String) throws(QueueError) -> [(id: String, input: QueueInput)] {
        let list = value["Entries"]?.array ?? []
        guard !list.isEmpty else { throw .emptyBatch(kind) }
        guard list.count <= QueueLimits.batchMax else { throw .tooManyEntries(list.count) }
        var entries: [(id: String, input: QueueInput)] = []
        var names: Set<ByteText> = []
        for value in list {
            let input = QueueInput(value)
            let id = try input.demanded("Id")
            guard (1...QueueLimits.entryNameBytesMax).contains(id.utf8.count),
                id.utf8.allSatisfy(QueueSettings.isLetter)
            else { throw .entryName }
            guard names.insert(ByteText(id)).inserted else { throw .repeatedEntry(id) }
            entries.append((id, input))
        }
        return entries
    }

    /// The name of the queue in its URL, whatever host that names.
    func queue(of queues: Queues) throws(QueueError) -> String {
        let url = try demanded("QueueUrl")
        guard let name = Self.queue(inURL: url, account: queues.accountID) else { throw .noQueue }
        return name
    }

    static func queue(inURL url: String, account: String) -> String? {
        let parts = url.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let name = parts.last, !name.contains(bytesOf: ":") else { return nil }
        if parts.count > 1, parts[parts.count - 2] != account { return nil }
        return name
    }

    /// Returns whether a text has only what XML can hold.
    static func check(_ text: String) throws(QueueError) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: continue
            default: throw .badContents
            }
        }
    }
}
