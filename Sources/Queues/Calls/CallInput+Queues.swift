import Cloud
import JSON

/// The members of a call of SQS, whose constraints have words of their own.
extension CallInput {
    func number(_ name: String, from range: ClosedRange<Int64>, _ reason: String? = nil) throws(CloudError) -> Int64? {
        guard let number = integer(name) else { return nil }
        guard range.contains(number) else {
            throw .invalid(
                number, of: name,
                reason ?? "Must be between \(range.lowerBound) and \(range.upperBound), if provided.")
        }
        return number
    }

    /// The entries of a batch, each with its name.
    ///
    /// - Parameter kind: what the service calls one.
    func entries(_ kind: String) throws(CloudError) -> [(id: String, input: CallInput)] {
        let list = list("Entries") ?? []
        guard !list.isEmpty else { throw .emptyBatch(kind) }
        guard list.count <= QueueLimits.batchMax else { throw .tooManyEntries(list.count) }
        var entries: [(id: String, input: CallInput)] = []
        var names: Set<ByteText> = []
        for value in list {
            let input = CallInput(value.object ?? JSONObject())
            let id = try input.entryText("Id")
            guard (1...QueueLimits.entryNameBytesMax).contains(id.utf8.count),
                id.utf8.allSatisfy(QueueSettings.isOfName)
            else { throw .entryName }
            guard names.insert(ByteText(id)).inserted else { throw .repeatedEntry(id) }
            entries.append((id, input))
        }
        return entries
    }

    /// A text that an entry of a batch must have: without it, that entry fails alone.
    func entryText(_ name: String) throws(CloudError) -> String {
        guard let text = text(name) else { throw .missing(name) }
        return text
    }

    /// The name of the queue in its URL, whatever host that names.
    func queue(of queues: Queues) throws(CloudError) -> String {
        guard let name = Self.queue(inURL: demanded("QueueUrl"), account: queues.accountID) else { throw .noQueue }
        return name
    }

    static func queue(inURL url: String, account: String) -> String? {
        let parts = url.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let name = parts.last, !name.contains(bytesOf: ":") else { return nil }
        if parts.count > 1, parts[parts.count - 2] != account { return nil }
        return name
    }
}
