import JSON

/// A message of the server, as text. The order of the members is the one that AppSync's frames have.
enum ServerFrame {
    static let keepAlive = Array(#"{"type":"ka"}"#.utf8)

    /// `{"id":…,"type":…,"payload":…}`, where id and payload may be absent.
    static func bytes(_ type: String, id: String? = nil, payload: JSONValue? = nil) -> [UInt8] {
        var bytes = id.map(head) ?? [UInt8(ascii: "{")]
        append(type, payload.map(JSONWriter.bytes), to: &bytes)
        return bytes
    }

    /// The same with a payload that is written already.
    static func bytes(_ type: String, id: String, response: [UInt8]) -> [UInt8] {
        var bytes = head(id)
        append(type, response, to: &bytes)
        return bytes
    }

    /// The beginning of a frame that is for one subscriber only: `{"id":"…",`.
    static func head(_ id: String) -> [UInt8] {
        var bytes = Array(#"{"id":"#.utf8)
        JSONWriter.writeString(id, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        return bytes
    }

    /// The rest, which is the same for all subscribers: `"type":"data","payload":…}`.
    static func rest(_ type: String, _ member: String, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 32)
        append(type, payload, as: member, to: &bytes)
        return bytes
    }

    private static func append(
        _ type: String, _ payload: [UInt8]?, as member: String = "payload", to bytes: inout [UInt8]
    ) {
        JSONWriter.writeKey("type", to: &bytes)
        JSONWriter.writeString(type, to: &bytes)
        if let payload {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.writeKey(member, to: &bytes)
            bytes.append(contentsOf: payload)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
