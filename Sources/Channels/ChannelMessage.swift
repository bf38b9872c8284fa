import JSON

/// The messages of a client on a WebSocket of Events.
package enum ChannelMessage: Sendable {
    /// A field of the `authorization` object.
    package typealias Field = (name: String, value: String)

    /// `connection_init`, which nobody has to say.
    case begin
    case subscribe(Subscribe)
    case publish(Publish)
    case unsubscribe(id: String)
    /// Something else; with the id, where there is one.
    case refused(ChannelFault, id: String?)

    package struct Subscribe: Sendable {
        package let id: String
        package let channel: String
        package let authorization: [Field]
        /// The text that IAM signs.
        package var signed: [UInt8] { JSONWriter.bytes(of: ["channel": .string(channel)]) }
    }

    package struct Publish: Sendable {
        package let id: String
        package let channel: String
        package let events: JSONValue
        package let authorization: [Field]
        /// The text that IAM signs.
        package var signed: [UInt8] {
            JSONWriter.bytes(of: .object(JSONObject([("channel", .string(channel)), ("events", events)])))
        }
    }

    package init(_ text: [UInt8]) {
        guard let value = try? JSONReader.value(of: text, limits: ChannelLimits.messageLimits),
            let members = value.object, let type = members["type"]?.string
        else {
            self = .refused(.badMessage, id: nil)
            return
        }
        let id = members["id"]?.string
        switch type {
        case "connection_init": self = .begin
        case "subscribe", "publish", "unsubscribe":
            guard let id, Self.isID(id) else {
                self = .refused(.badID, id: nil)
                return
            }
            let channel = members["channel"]?.string ?? ""
            let fields = (members["authorization"]?.object?.members ?? []).compactMap { member in
                member.value.string.map { (name: member.key, value: $0) }
            }
            switch type {
            case "subscribe": self = .subscribe(Subscribe(id: id, channel: channel, authorization: fields))
            case "publish":
                self = .publish(
                    Publish(id: id, channel: channel, events: members["events"] ?? .null, authorization: fields))
            default: self = .unsubscribe(id: id)
            }
        default: self = .refused(.unsupported(Self.shortened(type)), id: id.flatMap { Self.isID($0) ? $0 : nil })
        }
    }

    /// The longest part of a client's own text that comes back to it.
    private static let shownCharactersMax = 64

    private static func shortened(_ text: String) -> String { String(text.prefix(shownCharactersMax)) }

    private static func isID(_ text: String) -> Bool {
        (1...ChannelLimits.idCharactersMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"):
                    true
                default: false
                }
            }
    }
}
