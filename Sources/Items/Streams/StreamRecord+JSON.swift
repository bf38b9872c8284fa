import Crypto
import JSON

// Changes as clients and functions are told of them.

extension StreamChange {
    var name: String { old == nil ? "INSERT" : new == nil ? "REMOVE" : "MODIFY" }

    /// About what it takes.
    var size: Int { key.size + (old?.size ?? 0) + (new?.size ?? 0) }
}

extension StreamRecord {
    var sequenceNumber: String { ItemRun.sequence(number) }

    /// As GetRecords answers it.
    func json(of stream: StoredStream, _ settings: ItemSettings) -> JSONObject {
        var content = JSONObject([
            ("ApproximateCreationDateTime", .integer(change.time / 1_000)), ("Keys", change.key.json),
        ])
        if stream.view.hasNew, let new = change.new { content.set("NewImage", to: new.json) }
        if stream.view.hasOld, let old = change.old { content.set("OldImage", to: old.json) }
        content.set("SequenceNumber", to: .string(sequenceNumber))
        content.set("SizeBytes", to: .integer(Int64(change.size)))
        content.set("StreamViewType", to: .string(stream.view.rawValue))
        let arn = settings.streamARN(of: stream.table, stream.label)
        let identifier = SpreadingDigest.of(Array("\(arn) \(number)".utf8))
        var object = JSONObject([
            ("awsRegion", .string(settings.region)), ("dynamodb", .object(content)),
            ("eventID", .string(Hexadecimal.text(of: identifier))), ("eventName", .string(change.name)),
            ("eventSource", "aws:dynamodb"), ("eventVersion", "1.1"),
        ])
        if change.isExpiry {
            object.set("userIdentity", to: ["Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"])
        }
        return object
    }

    /// As a function is told of it: with the stream that it is of, and names of its own for who did it.
    func told(of stream: StoredStream, _ settings: ItemSettings) -> JSONValue {
        var object = json(of: stream, settings)
        object.set("eventSourceARN", to: .string(settings.streamARN(of: stream.table, stream.label)))
        if change.isExpiry {
            object.set("userIdentity", to: ["type": "Service", "principalId": "dynamodb.amazonaws.com"])
        }
        return .object(object)
    }
}
