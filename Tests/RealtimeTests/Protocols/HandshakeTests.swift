import Crypto
import Testing

@testable import Realtime

@Suite("The handshake")
struct HandshakeTests {
    static let dialects: [(offered: [String], chosen: String?)] = [
        ([], nil), (["graphql-ws"], "graphql-ws"), (["graphql-transport-ws"], "graphql-transport-ws"),
        (["graphql-ws", "graphql-transport-ws"], "graphql-transport-ws"),
        (["graphql-ws", "header-e30"], "graphql-ws"),
        (["graphql-transport-ws", "graphql-ws", "header-e30"], "graphql-ws"), (["header-e30"], nil), (["soap"], nil),
    ]

    @Test("the subprotocol is chosen, and never the one with credentials", arguments: dialects)
    func chooses(_ row: (offered: [String], chosen: String?)) {
        #expect(RealtimeHandshake.subprotocol(of: row.offered) == row.chosen)
        let handshake = RealtimeHandshake(subprotocols: row.offered, query: "", fields: [])
        #expect(handshake.dialect?.rawValue == row.chosen)
    }

    // {"host":"h","x-api-key":"k?>"}
    static let base64 = "eyJob3N0IjoiaCIsIngtYXBpLWtleSI6Ims/PiJ9"
    static let fields = [(name: "x-api-key", value: "plain")]

    static let places: [(subprotocols: [String], query: String, key: String?)] = [
        ([], "", "plain"), ([], "header=\(base64)&payload=e30=", "k?>"),
        ([], "payload=e30%3D&header=eyJob3N0IjoiaCIsIngtYXBpLWtleSI6Ims%2FPiJ9", "k?>"),
        ([], "header=eyJob3N0IjoiaCIsIngtYXBpLWtleSI6Ims_PiJ9", "k?>"),
        (["graphql-ws", "header-eyJob3N0IjoiaCIsIngtYXBpLWtleSI6Ims_PiJ9"], "header=e30=", "k?>"),
        (["header-!!"], "header=\(base64)", nil), ([], "header=%%%", nil), ([], "header=", nil),
        ([], "header=W10=", nil),
    ]

    @Test("credentials come from the subprotocol, the query, the fields, in this order", arguments: places)
    func reads(_ row: (subprotocols: [String], query: String, key: String?)) {
        let handshake = RealtimeHandshake(subprotocols: row.subprotocols, query: row.query, fields: Self.fields)
        #expect(handshake.credentials["x-api-key"] == row.key)
        #expect(handshake.credentials.purpose == .connection)
    }

    @Test("names are found in any case")
    func lowersNames() {
        let credentials = RealtimeCredentials(fields: [("Authorization", "t"), ("X-Amz-Date", "d")])
        #expect(credentials["authorization"] == "t")
        #expect(credentials["x-amz-date"] == "d")
        #expect(credentials.tellsSomething)
        #expect(!RealtimeCredentials(fields: [("host", "h")]).tellsSomething)
    }

    static let texts: [(text: String, bytes: [UInt8]?)] = [
        ("", []), ("TQ", [0x4D]), ("TQ==", [0x4D]), ("TWE=", [0x4D, 0x61]), ("TWFu", [0x4D, 0x61, 0x6E]),
        ("+/8", [0xFB, 0xFF]), ("-_8", [0xFB, 0xFF]), (" /8", [0xFB, 0xFF]), ("T", nil), ("T=Q", nil), ("TQ\n", nil),
        ("é", nil),
    ]

    @Test("base64 is read in either alphabet, padded or not", arguments: texts)
    func decodes(_ row: (text: String, bytes: [UInt8]?)) {
        #expect(Base64.lenientBytes(of: row.text.utf8) == row.bytes)
    }
}
