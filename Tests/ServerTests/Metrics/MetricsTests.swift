import Network
import Testing

@testable import Server

@Suite("Metrics")
struct MetricsTests {
    private static let usage = ProcessUsage(
        residentBytes: 1, openDescriptors: 2, descriptorsMax: nil, cpuSeconds: 0.5, startSeconds: 4)

    @Test("a scrape adds the loops up")
    func addsUp() {
        let metrics = Metrics(routes: ["/graphql", "/health"], loops: 2)
        metrics.loops[0].requestEnded(route: 0, status: 200, nanoseconds: 300_000)
        metrics.loops[1].requestEnded(route: 0, status: 200, nanoseconds: 700_000)
        metrics.loops[1].requestEnded(route: 0, status: 400, nanoseconds: 20_000_000_000)
        metrics.loops[1].requestEnded(route: 1, status: 299, nanoseconds: 100_000)
        metrics.loops[0].requestEnded(route: 9, status: -1, nanoseconds: 0)
        for loop in metrics.loops {
            loop.connectionOpened()
            loop.connectionOpened()
            loop.webSocketOpened()
            loop.received(bytes: 10)
            loop.sent(bytes: 100)
        }
        metrics.loops[0].connectionClosed()
        metrics.loops[1].webSocketClosed()
        metrics.loops[0].lagged(nanoseconds: 2_500_000)
        metrics.loops[0].lagged(nanoseconds: 1_000_000)
        var held = SharedBounds.Held()
        (held.incomingBytes, held.outgoingBytes, held.closed) = (11, 12, 13)
        let text = metrics.text(process: Self.usage, droppedLogLines: 3, held: held)
        for line in [
            "homeport_http_requests_total{route=\"/graphql\",status=\"200\"} 2",
            "homeport_http_requests_total{route=\"/graphql\",status=\"400\"} 1",
            "homeport_http_requests_total{route=\"/health\",status=\"other\"} 1",
            "homeport_http_requests_total{route=\"other\",status=\"other\"} 1",
            "homeport_http_request_duration_seconds_bucket{route=\"/graphql\",le=\"0.00025\"} 0",
            "homeport_http_request_duration_seconds_bucket{route=\"/graphql\",le=\"0.0005\"} 1",
            "homeport_http_request_duration_seconds_bucket{route=\"/graphql\",le=\"0.001\"} 2",
            "homeport_http_request_duration_seconds_bucket{route=\"/graphql\",le=\"10.0\"} 2",
            "homeport_http_request_duration_seconds_bucket{route=\"/graphql\",le=\"+Inf\"} 3",
            "homeport_http_request_duration_seconds_sum{route=\"/graphql\"} 20.001",
            "homeport_http_request_duration_seconds_count{route=\"/graphql\"} 3",
            "homeport_http_request_duration_seconds_bucket{route=\"/health\",le=\"0.0001\"} 1",
            "homeport_connections 3", "homeport_connections_total 4", "homeport_websockets 1",
            "homeport_received_bytes_total 20", "homeport_sent_bytes_total 200",
            "homeport_event_loop_lag_seconds{loop=\"0\"} 0.0025", "homeport_event_loop_lag_seconds{loop=\"1\"} 0.0",
            "homeport_waiting_request_bytes 11", "homeport_unread_answer_bytes 12",
            "homeport_unread_answer_closes_total 13",
            "homeport_log_lines_dropped_total 3", "homeport_build_info{version=\"\(Version.number)\"} 1",
            "process_resident_memory_bytes 1", "process_open_fds 2", "process_cpu_seconds_total 0.5",
            "process_start_time_seconds 4",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        #expect(!text.contains("process_max_fds"))
        #expect(metrics.text(process: Self.usage).contains("homeport_event_loop_lag_seconds{loop=\"0\"} 0.0\n"))
    }

    @Test("every line is one of the format, and each metric is introduced once")
    func followsFormat() throws {
        let metrics = Metrics(routes: ["/a\"b\\c\nd"], loops: 1)
        metrics.loops[0].requestEnded(route: 0, status: 200, nanoseconds: 1)
        let lines = metrics.text().split(separator: "\n", omittingEmptySubsequences: true)
        let value = try Regex(#"[a-z_]+(\{([a-z]+="([^"\\\n]|\\["\\n])*",?)+\})? [0-9.e+-]+"#)
        let comment = try Regex(#"# (HELP [a-z_]+ .+\.|TYPE [a-z_]+ (counter|gauge|histogram))"#)
        for line in lines {
            #expect(try value.wholeMatch(in: line) != nil || comment.wholeMatch(in: line) != nil, "\(line)")
        }
        let types = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(Set(types).count == types.count)
    }

    @Test("what one thread counts, another reads")
    func isReadByOthers() async {
        let metrics = Metrics(routes: ["/"], loops: 4)
        await withTaskGroup(of: Void.self) { group in
            for loop in metrics.loops {
                group.addTask {
                    for _ in 0..<10_000 { loop.requestEnded(route: 0, status: 200, nanoseconds: 1_000) }
                }
            }
            group.addTask { for _ in 0..<50 { _ = metrics.text(process: Self.usage) } }
        }
        #expect(metrics.text().contains("homeport_http_requests_total{route=\"/\",status=\"200\"} 40000\n"))
    }

    @Test("the process tells what it uses")
    func readsUsage() throws {
        let usage = ProcessUsage.now()
        #expect(try #require(usage.residentBytes) > 1 << 20)
        #expect(try #require(usage.openDescriptors) >= 3)
        #expect(try #require(usage.descriptorsMax) >= 64)
        #expect(try #require(usage.cpuSeconds) > 0)
        #expect(usage.startSeconds > 1_700_000_000)
    }
}
