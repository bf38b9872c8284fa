import Access
import Blueprint
import CSystem
import Engine
import Glibc
import GraphQL
import JSON
import Network
import Realtime

// Not a part of the product: what fan-out costs, without anything before it.
//
//     realtime-bench serve SUBSCRIBERS EVENTS BATCH [one]     prints its port, then what it measured
//     realtime-bench listen PORT SUBSCRIBERS [one]            subscribes and reads
//
// With `one`, each subscriber waits for a room of its own, and every event is for the first.

@main
struct RealtimeBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { Int($0) }
        let isOne = arguments.contains("one")
        switch (arguments.first, numbers.count) {
        case ("serve", 3): try await serve(subscribers: numbers[0], events: numbers[1], batch: numbers[2], isOne: isOne)
        case ("listen", 2): try listen(port: UInt16(clamping: numbers[0]), subscribers: numbers[1], isOne: isOne)
        default: print("expected serve SUBSCRIBERS EVENTS BATCH or listen PORT SUBSCRIBERS")
        }
    }

    // MARK: The server

    static let schema = """
        type Message @model @auth(rules: [{ allow: public }]) { id: ID! room: String text: String! }
        type Subscription { onRoom(room: String): Message @aws_subscribe(mutations: ["createMessage"]) }
        """

    static func serve(subscribers: Int, events: Int, batch: Int, isOne: Bool) async throws {
        guard let blueprint = SDLReader.read(schema).blueprint else { return }
        let schema = try Schema(APISchema.generate(from: blueprint).schema.documentWithRoots)
        let group = try EventLoopGroup(count: 1)
        let realtime = Realtime(schema: schema, loops: group.loops) { _ in OpenGate() }
        var limits = HTTPLimits()
        limits.connections = subscribers + 100
        let server = HTTPServer(
            BenchApplication(realtime: realtime),
            options: HTTPServerOptions(limits: limits), on: group)
        try await server.start(on: [.loopback(port: 0)])
        let before = residentKiB
        print("port \(server.addresses.first?.port ?? 0)")
        fflush(nil)
        while realtime.total(.subscriptionsStarted) < subscribers { usleep(10_000) }
        usleep(500_000)
        let memory = Double(residentKiB - before) / Double(subscribers)
        let text = String(repeating: "x", count: 100)
        let (cpu, began) = (processorSeconds, MonotonicTime.now)
        var delivered: UInt64 = 0
        var sequence = 0
        while sequence < events {
            let messages = (0..<min(batch, events - sequence)).map { place in
                MutationEvent(
                    mutationField: "createMessage", typeName: "Message",
                    value: ["id": .string("\(sequence + place)"), "room": "room0", "text": .string(text)],
                    sequence: UInt64(sequence + place))
            }
            realtime.publish(messages)
            sequence += messages.count
            delivered += UInt64(messages.count * (isOne ? 1 : subscribers))
            while realtime.total(.deliveries) + realtime.total(.slowCloses) < delivered { usleep(200) }
        }
        // The last frames leave at the end of the turn.
        usleep(300_000)
        let seconds = Double(MonotonicTime.now.nanoseconds(since: began)) / 1e9
        let used = processorSeconds - cpu
        print(
            "subscribers \(subscribers) events \(events) batch \(batch): \(used * 1e6 / Double(delivered)) CPU s per million deliveries, "
                + "\(used * 1e6 / Double(events)) CPU us per event, \(seconds) s, evaluations \(realtime.total(.evaluations)), "
                + "slow \(realtime.total(.slowCloses)), idle \(memory) KiB a connection")
        exit(0)
    }

    private struct BenchApplication: HTTPApplication {
        let realtime: Realtime

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            do throws(WebSocketHandshake.Refusal) {
                return .upgrade(try realtime.upgrade(head))
            } catch {
                return .answer(answer(to: error.error, for: head))
            }
        }

        func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
            HTTPResponse(status: error.status)
        }
        func finished(_ exchange: HTTPExchange) {}
    }

    private struct OpenGate: RealtimeGate {
        func identify(_ credentials: RealtimeCredentials) async -> Identification {
            .accepted(.apiKey)
        }

        func admit(_ caller: Identity, to subscription: SubscriptionRequest) async -> Admission {
            .granted(SubscriptionGrant())
        }

        func respond(
            to operation: OperationRequest, for caller: Identity, noting note: OperationNote
        ) async -> OperationAnswer {
            .response([])
        }
    }

    private static var processorSeconds: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    private static var residentKiB: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * 4
    }

    // MARK: The clients

    static func listen(port: UInt16, subscribers: Int, isOne: Bool) throws {
        let poller = homeport_epoll_create()
        for number in 0..<subscribers {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            _ = SocketAddress.loopback(port: port).withSystemAddress { Glibc.connect(descriptor, $0, $1) }
            let room = isOne ? "room\(number)" : "room0"
            let query = #"subscription { onRoom(room: \\\"\#(room)\\\") { id text } }"#
            let start =
                #"{"id":"7c2d0f0e-4a1e-4b0e-9b3a-0d6c1a2b3c4d","type":"start","payload":{"data":"{\"query\":\"\#(query)\"}"}}"#
            let request =
                "GET /graphql HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
                + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nx-api-key: k\r\n"
                + "sec-websocket-protocol: graphql-ws\r\n\r\n"
            var bytes = Array(request.utf8)
            for text in [#"{"type":"connection_init"}"#, start] { bytes += frame(text) }
            _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, homeport_send_quietly) }
            _ = homeport_epoll_control(
                poller, Int32(homeport_epoll_add), descriptor, UInt32(homeport_epoll_in), UInt64(descriptor))
        }
        var events = [homeport_epoll_event](repeating: homeport_epoll_event(), count: 1024)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = homeport_epoll_wait(poller, &events, 1024, -1)
            for event in events.prefix(max(0, Int(count))) {
                let read = recv(Int32(event.key), &buffer, buffer.count, 0)
                if read <= 0 { return }
            }
        }
    }

    private static func frame(_ text: String) -> [UInt8] {
        let payload = Array(text.utf8)
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)] : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        // A mask of zeros leaves the text as it is.
        return [0x81] + length + [0, 0, 0, 0] + payload
    }
}
