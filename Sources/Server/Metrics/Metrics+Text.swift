import Network
import Realtime

extension Metrics {
    /// All counters in the text format of Prometheus.
    ///
    /// The lag of a loop is the longest one since the scrape before.
    package func text(
        process: ProcessUsage = .now(), droppedLogLines: Int = 0, held: SharedBounds.Held = .init(),
        health: ServerHealth? = nil,
        subscriptions: (RealtimeCounters.Counter) -> UInt64 = { _ in 0 }
    ) -> String {
        var text = MetricsText()
        writeRequests(to: &text)
        writeDurations(to: &text)
        writeOperations(to: &text)
        write(
            "homeport_connections", .gauge, "Open connections.",
            difference(.connectionsOpened, .connectionsClosed), to: &text)
        write("homeport_connections_total", .counter, "Connections accepted.", sum(.connectionsOpened), to: &text)
        write(
            "homeport_websockets", .gauge, "Open WebSockets.", difference(.webSocketsOpened, .webSocketsClosed),
            to: &text)
        write("homeport_websockets_total", .counter, "WebSockets opened.", sum(.webSocketsOpened), to: &text)
        write("homeport_received_bytes_total", .counter, "Bytes received.", sum(.bytesReceived), to: &text)
        write("homeport_sent_bytes_total", .counter, "Bytes sent.", sum(.bytesSent), to: &text)
        write(
            "homeport_waiting_request_bytes", .gauge, "Bytes of requests and messages that are not complete.",
            UInt64(clamping: held.incomingBytes), to: &text)
        write(
            "homeport_unread_answer_bytes", .gauge, "Bytes that wait for clients that do not take them.",
            UInt64(clamping: held.outgoingBytes), to: &text)
        write(
            "homeport_unread_answer_closes_total", .counter, "Connections closed because too many bytes waited.",
            UInt64(clamping: held.closed), to: &text)
        writeSubscriptions(subscriptions, to: &text)
        text.start("homeport_event_loop_lag_seconds", .gauge, "The longest wait for the loop since the last scrape.")
        for (index, loop) in loops.enumerated() {
            text.line("homeport_event_loop_lag_seconds", [("loop", "\(index)")], Self.seconds(loop.takeLag()))
        }
        write(
            "homeport_log_lines_dropped_total", .counter, "Log lines that did not fit into the queue.",
            UInt64(clamping: droppedLogLines), to: &text)
        text.start("homeport_build_info", .gauge, "The version that runs.")
        text.line("homeport_build_info", [("version", Version.number)], "1")
        health?.write(to: &text)
        process.write(to: &text)
        return text.text
    }

    private func writeRequests(to text: inout MetricsText) {
        let name = "homeport_http_requests_total"
        text.start(name, .counter, "Requests answered, by route and status.")
        for (index, route) in routes.enumerated() {
            for (place, count) in added({ $0.answers(ofRoute: index) }).enumerated() where count > 0 {
                let status = place < Self.statuses.count ? "\(Self.statuses[place])" : "other"
                text.line(name, [("route", route), ("status", status)], "\(count)")
            }
        }
    }

    private func writeDurations(to text: inout MetricsText) {
        let name = "homeport_http_request_duration_seconds"
        text.start(name, .histogram, "How long answers took, by route.")
        for (index, route) in routes.enumerated() {
            let buckets = added { $0.durations(ofRoute: index) }
            var count: UInt64 = 0
            guard buckets.contains(where: { $0 > 0 }) else { continue }
            for (place, bucket) in buckets.enumerated() {
                count &+= bucket
                let bound =
                    place < Self.durationBounds.count ? Self.seconds(Self.durationBounds[place] * 1_000) : "+Inf"
                text.line(name + "_bucket", [("route", route), ("le", bound)], "\(count)")
            }
            let sum = loops.reduce(0) { $0 &+ $1.nanoseconds(ofRoute: index) }
            text.line(name + "_sum", [("route", route)], Self.seconds(sum))
            text.line(name + "_count", [("route", route)], "\(count)")
        }
    }

    func write(
        _ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: UInt64, to text: inout MetricsText
    ) {
        text.start(name, kind, help)
        text.line(name, [], "\(value)")
    }

    private func sum(_ counter: LoopMetrics.Counter) -> UInt64 {
        loops.reduce(0) { $0 &+ $1.value(counter) }
    }

    /// The open connections. The two are read one after the other, so that a moment's difference can be below zero.
    private func difference(_ opened: LoopMetrics.Counter, _ closed: LoopMetrics.Counter) -> UInt64 {
        let ended = sum(closed)
        let begun = sum(opened)
        return begun > ended ? begun - ended : 0
    }

    func added(_ values: (LoopMetrics) -> [UInt64]) -> [UInt64] {
        loops.dropFirst().reduce(values(loops[0])) { total, loop in zip(total, values(loop)).map { $0 &+ $1 } }
    }

    static func seconds(_ nanoseconds: UInt64) -> String {
        "\(Double(nanoseconds) / 1e9)"
    }
}

/// A text in the exposition format of Prometheus, as it is written.
package struct MetricsText {
    /// The kinds of metrics.
    package enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    private(set) var text = ""

    /// The two lines before the values of a metric.
    mutating func start(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for character in value {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }
}
