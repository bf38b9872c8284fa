import TestSupport
@testable import Network

/// A server of ours on a free port of the loopback, whose paths are WebSockets of different kinds.
final class WebSocketTestServer: Sendable {
    /// How the WebSockets ended, in order.
    private let endings: AsyncStream<WebSocketEnding>
    private let loopback: LoopbackServer

    /// For tests that stop with clients that never answer.
    static let impatient = {
        var settings = WebSocketSettings()
        settings.closeMillisecondsMax = 100
        return settings
    }()

    init(_ settings: WebSocketSettings = impatient, tls: ReloadableTLSContext? = nil) async throws {
        let (endings, continuation) = AsyncStream<WebSocketEnding>.makeStream()
        self.endings = endings
        loopback = try await LoopbackServer(
            WebSocketTestApplication(settings: settings, endings: continuation), tls: tls)
    }

    var server: HTTPServer { loopback.server }
    var group: EventLoopGroup { loopback.group }
    var port: UInt16 { loopback.port }

    /// How the next WebSocket ended.
    func nextEnding() async -> WebSocketEnding? {
        for await ending in endings { return ending }
        return nil
    }

    /// Answers how many connections had to be cut off.
    @discardableResult
    func stop() async -> Int { await loopback.stop() }
}

/// What the server of the tests serves.
///
///     /echo       each message comes back; text and binary
///     /text       takes text only, and says "welcome" first
///     /flood      answers any message with messages of 64 KiB until it is closed
///     /fan        answers any message with a beginning of its own and a rest that many would get
///     /mixed      answers any message with `mixedMessages` numbers, sent in every way that there is
///     /together   answers what comes to one with what all get, each behind its own first message; says how it was sent
///     /bye        closes when it gets a message
struct WebSocketTestApplication: HTTPApplication {
    let settings: WebSocketSettings
    let endings: AsyncStream<WebSocketEnding>.Continuation
    let together = WebSocketTestCompany()

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        let (endings, together) = (endings, together)
        let path = head.path
        do throws(WebSocketHandshake.Refusal) {
            let upgrade = try WebSocketHandshake.upgrade(
                head, settings: settings, choosingSubprotocol: { $0.contains("graphql-ws") ? "graphql-ws" : nil },
                handler: { WebSocketTestHandler(path: path, endings: endings, together) })
            return .upgrade(upgrade)
        } catch {
            var response = answer(to: error.error, for: head)
            response.fields.append(error.fields)
            return .answer(response)
        }
    }

    func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: error.status, body: .bytes(Array(error.description.utf8)))
    }
}

/// Those who are sent something together.
///
/// Unchecked: the server of the tests has one loop, and all happens there.
final class WebSocketTestCompany: @unchecked Sendable {
    private var members: [(head: [UInt8], connection: WebSocketConnection)] = []

    func enter(_ connection: WebSocketConnection, _ head: [UInt8]) {
        members.append((head, connection))
    }

    func isMember(_ connection: WebSocketConnection) -> Bool { members.contains { $0.connection === connection } }

    func leave(_ connection: WebSocketConnection) {
        members.removeAll { $0.connection === connection }
    }

    /// Sends all of them two messages.
    func send(_ text: [UInt8]) {
        var fanOut = WebSocketFanOut(
            [WebSocketFanOutPayload(.text, text), WebSocketFanOutPayload(.text, Array("!".utf8))])
        for (head, connection) in members {
            _ = connection.send(head: head, &fanOut, waitingBytesMax: 1 << 20, isAtOnce: true)
        }
    }
}

final class WebSocketTestHandler: WebSocketHandler {
    private let path: String
    private let together: WebSocketTestCompany
    private let endings: AsyncStream<WebSocketEnding>.Continuation
    private var isFlooding = true
    static let mixedMessages = 400
    static let mixedPadding = [UInt8](repeating: UInt8(ascii: " "), count: 20_000)

    init(path: String, endings: AsyncStream<WebSocketEnding>.Continuation, _ together: WebSocketTestCompany) {
        self.path = path
        self.endings = endings
        self.together = together
    }

    func webSocketDidOpen(_ connection: WebSocketConnection) {
        if path == "/text" { connection.send(text: "welcome") }
    }

    func webSocket(_ connection: WebSocketConnection, didReceiveText text: [UInt8]) {
        switch path {
        case "/flood":
            let piece = [UInt8](repeating: 0x61, count: 65_536)
            while isFlooding { connection.send(.text, piece) }
        case "/fan":
            let rest = WebSocketFanOutPayload(.text, Array(String(repeating: "event", count: 500).utf8))
            var messages = WebSocketFanOut([rest])
            _ = connection.send(head: text, &messages, waitingBytesMax: 1 << 20, isAtOnce: true)
            _ = connection.send(
                head: Array("again ".utf8) + text, &messages, waitingBytesMax: 1 << 20, isAtOnce: false)
        case "/mixed":
            for number in 0..<Self.mixedMessages {
                let (head, rest) = (Array("\(number)".utf8), WebSocketFanOutPayload(.text, Self.mixedPadding))
                if number % 3 == 0 {
                    connection.send(.text, head + rest.bytes)
                } else {
                    var messages = WebSocketFanOut([rest])
                    _ = connection.send(head: head, &messages, waitingBytesMax: 1 << 24, isAtOnce: number % 3 == 1)
                }
            }
        case "/together":
            if together.isMember(connection) {
                together.send(text)
            } else {
                together.enter(connection, text)
                connection.send(.text, Array("entered".utf8))
            }
        case "/bye":
            connection.close(WebSocketClose(.normal, "enough"))
            connection.send(text: "never sent")
        default:
            connection.send(.text, text)
        }
    }

    func webSocket(_ connection: WebSocketConnection, didReceiveBinary bytes: [UInt8]) {
        if path == "/text" {
            connection.close(WebSocketClose(.unsupportedData, "text only"))
        } else {
            connection.send(.binary, bytes)
        }
    }

    func webSocketDidClose(_ connection: WebSocketConnection, _ ending: WebSocketEnding) {
        isFlooding = false
        together.leave(connection)
        endings.yield(ending)
    }
}
