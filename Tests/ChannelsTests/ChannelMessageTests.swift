import JSON
import Testing

@testable import Channels

@Suite("messages of Events")
struct ChannelMessageTests {
    @Test("a publish is signed as channel and events, in this order and without spaces")
    func signed() throws {
        let text =
            #"{"events":["{\"hello\":1}"],"type":"publish","id":"p","channel":"/default/é","authorization":{"host":"h","n":1}}"#
        guard case .publish(let publish) = ChannelMessage(Array(text.utf8)) else {
            Issue.record("no publish")
            return
        }
        #expect(
            String(decoding: publish.signed, as: UTF8.self) == #"{"channel":"/default/é","events":["{\"hello\":1}"]}"#)
        #expect(publish.authorization.map(\.name) == ["host"])
    }

    @Test(
        "a message that cannot be read is refused by name, and no more",
        arguments: [
            ("", ChannelFault.badMessage), ("[]", .badMessage), ("{}", .badMessage), (#"{"type":1}"#, .badMessage),
            (#"{"type":"start","id":"1"}"#, .unsupported("start")), (#"{"type":"subscribe"}"#, .badID),
            (#"{"type":"subscribe","id":""}"#, .badID), (#"{"type":"publish","id":"a b"}"#, .badID),
            (#"{"type":"unsubscribe","id":"é"}"#, .badID),
            (#"{"type":"subscribe","id":"\#(String(repeating: "a", count: 129))"}"#, .badID),
        ])
    func refused(_ row: (text: String, fault: ChannelFault)) {
        guard case .refused(let fault, _) = ChannelMessage(Array(row.text.utf8)) else {
            Issue.record("\(row.text) was taken")
            return
        }
        #expect(fault == row.fault)
    }

    @Test("a fault without a text has a type alone")
    func frame() {
        let bytes = ChannelFrame.error("connection_error", .unauthorizedSilently(because: "x"))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"type":"connection_error","errors":[{"errorType":"UnauthorizedException"}]}"#)
    }
}
