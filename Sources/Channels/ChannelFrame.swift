import JSON

/// The messages of the server on a WebSocket of Events.
package enum ChannelFrame {
    package static func acknowledgement(timeoutMilliseconds: Int) -> [UInt8] {
        JSONWriter.bytes(
            of: ["type": "connection_ack", "connectionTimeoutMs": .integer(Int64(timeoutMilliseconds))])
    }

    /// `{"type":"subscribe_success","id":"s1"}` and the like.
    package static func success(_ type: String, _ id: String) -> [UInt8] {
        JSONWriter.bytes(of: ["type": .string(type), "id": .string(id)])
    }

    package static func published(_ id: String, _ report: PublishReport) -> [UInt8] {
        var frame = JSONObject([("type", "publish_success"), ("id", .string(id))])
        for member in report.json { frame.set(member.key, to: member.value) }
        return JSONWriter.bytes(of: .object(frame))
    }

    /// `{"type":"publish_error","id":"p1","errors":[{"errorType","message"}]}` and the like.
    package static func error(_ type: String, id: String? = nil, _ fault: ChannelFault) -> [UInt8] {
        var frame = JSONObject([("type", .string(type))])
        if let id { frame.set("id", to: .string(id)) }
        frame.set("errors", to: .array([fault.entry(fault.socketType)]))
        return JSONWriter.bytes(of: .object(frame))
    }
}
