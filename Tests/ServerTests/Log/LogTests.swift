import Glibc
import JSON
import Testing

@testable import Server

/// A pipe whose reading end collects what the log writes.
struct LogPipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        // Other tests start programs meanwhile, which must not keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Everything that is in the pipe; it is closed.
    func closeAndRead() -> String {
        close(writer)
        return readToEnd()
    }

    /// Everything until others close the writing end.
    func readToEnd() -> String {
        defer { close(reader) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(reader, &part, part.count), count > 0 { bytes += part.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes the next write wait until somebody reads.
    func fill() {
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let line = Array(String(repeating: ".", count: 1023).utf8) + [0x0A]
        while write(writer, line, line.count) > 0 {}
        _ = fcntl(writer, F_SETFL, 0)
    }
}

extension LogQueue {
    /// Stops when all is written. What a busy machine has not written within the time of `stop` would be lost, and would go
    /// to whoever has the pipe's descriptor next.
    fileprivate func end() {
        flush(milliseconds: 60_000)
        stop()
    }
}

@Suite("Logs")
struct LogTests {
    @Test("the newest lines are there for whoever looks first, where they are kept, and no more bytes than may")
    func tail() {
        func line(_ number: Int) -> [UInt8] { Array("2026-11-28T00:00:00.000Z INFO line \(number)\n".utf8) }
        let idle = LogTail()
        #expect(!idle.isWanted)
        let tail = LogTail()
        tail.keepAlways()
        #expect(tail.isWanted)
        let count = 3 * LogLimits.unreadBytesMax / line(1_000).count
        for number in 1...count { tail.take(line(number), at: 1_000) }
        let found = tail.lines(after: 0, max: LogLimits.tailLinesMax, at: 2_000).lines
        #expect(found.last?.text.hasSuffix("line \(count)") == true && found.count > 100)
        #expect(found.first?.text.hasPrefix("2026-") == true)
        #expect(found.reduce(0) { $0 + $1.text.utf8.count + 1 } <= 2 * LogLimits.unreadBytesMax)
        // Somebody looks, and then nobody does for long.
        tail.take(line(count + 1), at: 3_000)
        let last = tail.lines(after: 0, max: 1, at: 4_000)
        #expect(last.lines.first?.text.hasSuffix("line \(count + 1)") == true)
        tail.take(line(count + 2), at: 5_000 + LogLimits.tailMilliseconds)
        #expect(tail.isWanted)
        let later = tail.lines(after: last.last, max: 10, at: 6_000 + LogLimits.tailMilliseconds)
        #expect(later.lines.map(\.number) == [last.last + 1])
    }

    private static let time = Timestamp(seconds: 1_798_761_600, milliseconds: 42)

    private func line(
        _ format: LogFormat, colours: Bool = false, _ level: LogLevel, _ message: String,
        _ fields: KeyValuePairs<String, JSONValue> = [:]
    ) -> String {
        var line: [UInt8] = []
        LogLine.write(level, message, fields, at: Self.time, LogStyle(format: format, hasColours: colours), to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    @Test("a line says when, how important, what, and the details")
    func writesLines() {
        #expect(
            line(.text, .info, "started", ["port": 1, "path": "/x", "note": "two words", "none": nil])
                == "2027-01-01T00:00:00.042Z INFO    started port=1 path=/x note=\"two words\" none=null\n")
        #expect(
            line(.json, .warning, "slow", ["seconds": 1.5])
                == "{\"time\":\"2027-01-01T00:00:00.042Z\",\"level\":\"warning\",\"message\":\"slow\",\"seconds\":1.5}\n"
        )
        #expect(
            line(.text, colours: true, .error, "bad")
                == "\u{1B}[2m2027-01-01T00:00:00.042Z\u{1B}[0m \u{1B}[31mERROR  \u{1B}[0m bad\n")
    }

    @Test("nothing from outside breaks out of its line or steers the terminal", arguments: LogFormat.allCases)
    func escapes(format: LogFormat) {
        let hostile = "a\nINFO b\u{1B}[2J\r\u{0}"
        let text = line(format, .info, hostile, ["value": .string(hostile)])
        #expect(text.dropLast().utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(text.hasSuffix("\n"))
    }

    @Test("nothing beyond ASCII turns the direction of a line's letters or steers the terminal, and other letters stay")
    func masks() throws {
        let steering =
            (0x80...0x9F).map { UInt32($0) } + [0x61C, 0x200E, 0x200F]
            + [0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069]
        for code in steering {
            let character = String(Character(try #require(UnicodeScalar(code))))
            let text = "a\(character)b"
            let plain = line(.text, .info, text, ["value": .string(text)])
            #expect(plain.hasSuffix(" a?b value=a?b\n"), "\(code): \(plain)")
            let json = line(.json, .info, text, ["value": .string(text)])
            #expect(!json.unicodeScalars.contains { $0.value == code }, "\(code)")
            #expect(
                try JSONReader.value(of: json)["value"]?.string?.utf8.elementsEqual(text.utf8) ?? false,
                "\(code): \(json)")
        }
        let letters = "é Ø § \u{A0} € … “x” ‰ \u{2027}\u{2030} عربي עברית 日本 🎉"
        for format in LogFormat.allCases { #expect(line(format, .info, letters).contains(letters)) }
    }

    @Test("a line ends at its limit", arguments: LogFormat.allCases)
    func limitsLines(format: LogFormat) {
        let text = line(format, .info, String(repeating: "é", count: LogLimits.lineBytesMax))
        #expect(text.utf8.count <= LogLimits.lineBytesMax)
        #expect(text.hasSuffix("\n"))
        #expect(!text.contains("\u{FFFD}"))
        if format == .json { #expect((try? JSONReader.value(of: text))?["bytes"] != nil) }
    }

    @Test("lines below the level are not made")
    func filters() throws {
        let pipe = try LogPipe()
        let queue = LogQueue(.text, writingTo: pipe.writer)
        let log = Log(LogSettings(format: .text, level: .warning, requests: true), to: queue)
        log.debug("debug")
        log.info("info")
        log.warning("warning")
        log.error("error")
        var access = AccessLog(log, LogSettings(format: .text, level: .warning, requests: true))
        access.record(.init(method: "GET", target: "/", status: 200, bytes: 0, nanoseconds: 0)) { _ in }
        queue.end()
        let lines = pipe.closeAndRead().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("WARNING warning") == true)
    }

    @Test("what many threads write arrives whole, and in order for each")
    func keepsLines() async throws {
        let pipe = try LogPipe()
        let queue = LogQueue(.text, writingTo: pipe.writer)
        let reader = Waiter { pipe.readToEnd() }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        queue.append(Array("\(writer) \(number)\n".utf8), number % 100 == 0 ? .urgent : .little)
                    }
                }
            }
        }
        queue.end()
        close(pipe.writer)
        let lines = try reader.value().split(separator: "\n")
        #expect(lines.count == 4000)
        for writer in 0..<8 {
            let own = lines.filter { $0.hasPrefix("\(writer) ") }
            #expect(own.map(String.init) == (0..<500).map { "\(writer) \($0)" })
        }
        #expect(queue.droppedCount == 0)
    }

    @Test("an output that takes nothing makes nobody wait: lines are dropped, counted and reported")
    func dropsLines() throws {
        let pipe = try LogPipe()
        pipe.fill()
        let queue = LogQueue(.json, writingTo: pipe.writer, bytesMax: 4096)
        let line = Array(String(repeating: "x", count: 1023).utf8) + [0x0A]
        // One that waited would wait for ever: nobody reads.
        for _ in 0..<2000 { queue.append(line, .urgent) }
        // The writer holds a batch, and the queue another one.
        #expect(queue.droppedCount >= 2000 - 8)
        let reader = Waiter { pipe.readToEnd() }
        queue.end()
        close(pipe.writer)
        let report = try #require(
            try reader.value().split(separator: "\n").last { $0.contains("lines were dropped") })
        let object = try JSONReader.value(of: String(report))
        #expect(object["message"] == "log lines were dropped, since they are not taken as fast as they come")
        #expect(object["level"] == "warning")
        #expect(try #require(object["lines"]?.integer) > 0)
    }

    @Test("an output that is gone is no harm")
    func survivesClosedOutput() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try LogPipe()
        close(pipe.reader)
        let queue = LogQueue(.text, writingTo: pipe.writer)
        queue.append(Array("x\n".utf8), .urgent)
        queue.end()
        close(pipe.writer)
        #expect(queue.droppedCount == 1)
        queue.append(Array("after the end\n".utf8))
    }

    static let requests: [(format: LogFormat, target: String, line: String)] = [
        (.text, "/graphql", "2027-01-01T00:00:00.042Z INFO    POST /graphql 200 1234B 12.345ms id\n"),
        (
            .text, "/graphql/realtime?header=c2VjcmV0&payload=e30=",
            "2027-01-01T00:00:00.042Z INFO    POST /graphql/realtime 200 1234B 12.345ms id\n"
        ),
        (
            .json, "/a\"b?key=secret",
            "{\"time\":\"2027-01-01T00:00:00.042Z\",\"level\":\"info\",\"message\":\"request\",\"method\":\"POST\",\"path\":\"/a\\\"b\","
                + "\"status\":200,\"bytes\":1234,\"milliseconds\":12.345,\"requestId\":\"id\"}\n"
        ),
    ]

    @Test("a request is one line, without its query", arguments: requests)
    func logsRequests(format: LogFormat, target: String, line: String) throws {
        let pipe = try LogPipe()
        let queue = LogQueue(format, writingTo: pipe.writer)
        let settings = LogSettings(format: format, level: .info, requests: true)
        var access = AccessLog(Log(settings, to: queue), settings)
        let entry = AccessLog.Entry(method: "POST", target: target, status: 200, bytes: 1234, nanoseconds: 12_345_678)
        access.record(entry, at: Self.time) { $0 += Array("id".utf8) }
        queue.end()
        #expect(pipe.closeAndRead() == line)
    }

    @Test(
        "the line of a request by HTTP/2 says so",
        arguments: [(LogFormat.text, " over=HTTP/2"), (.json, ",\"path\":\"/\",\"over\":\"HTTP/2\",\"status\"")])
    func logsProtocol(format: LogFormat, part: String) throws {
        let pipe = try LogPipe()
        let queue = LogQueue(format, writingTo: pipe.writer)
        let settings = LogSettings(format: format, level: .info, requests: true)
        var access = AccessLog(Log(settings, to: queue), settings)
        var entry = AccessLog.Entry(method: "GET", target: "/", status: 200, bytes: 0, nanoseconds: 0)
        entry.isHTTP2 = true
        access.record(entry, at: Self.time) { _ in }
        queue.end()
        #expect(pipe.closeAndRead().contains(part))
    }

    @Test(
        "a request names the action of a service that it calls",
        arguments: [
            (LogFormat.text, "POST / 200 1B 0.002ms id action=InitiateAuth"),
            (.json, "\"path\":\"/\",\"action\":\"InitiateAuth\",\"status\":200"),
        ])
    func logsActions(format: LogFormat, part: String) throws {
        let pipe = try LogPipe()
        let queue = LogQueue(format, writingTo: pipe.writer)
        let settings = LogSettings(format: format, level: .info, requests: true)
        var access = AccessLog(Log(settings, to: queue), settings)
        var entry = AccessLog.Entry(method: "POST", target: "/", status: 200, bytes: 1, nanoseconds: 2_000)
        entry.action = "InitiateAuth"
        access.record(entry, at: Self.time) { $0 += Array("id".utf8) }
        queue.end()
        let line = pipe.closeAndRead()
        #expect(line.contains(part), "\(line)")
    }

    @Test(
        "lines of one second have milliseconds of their own",
        arguments: [(LogFormat.text, false), (.text, true), (.json, false)])
    func keepsMilliseconds(format: LogFormat, hasColours: Bool) throws {
        let pipe = try LogPipe()
        let queue = LogQueue(format, writingTo: pipe.writer)
        let settings = LogSettings(format: format, level: .info, requests: true)
        var access = AccessLog(Log(settings, to: queue, hasColours: hasColours), settings)
        let entry = AccessLog.Entry(method: "GET", target: "/", status: 200, bytes: 0, nanoseconds: 0)
        let seconds = Self.time.seconds
        for (second, milliseconds) in [(seconds, 7), (seconds, 0), (seconds, 999), (seconds + 1, 20), (seconds, 5)] {
            access.record(entry, at: Timestamp(seconds: second, milliseconds: milliseconds)) { _ in }
        }
        queue.end()
        let times = pipe.closeAndRead().split(separator: "\n").map { line in
            String(line.drop { $0 != "T" }.dropFirst().prefix(13))
        }
        #expect(times == ["00:00:00.007Z", "00:00:00.000Z", "00:00:00.999Z", "00:00:01.020Z", "00:00:00.005Z"])
    }

    @Test("colours are for terminals that want them")
    func decidesOnColours() throws {
        let pipe = try LogPipe()
        defer { _ = pipe.closeAndRead() }
        #expect(!TerminalColours.areWanted(on: pipe.writer, environment: [:]))
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        #expect(TerminalColours.areWanted(on: terminal, environment: ["NO_COLOR": ""]))
        #expect(!TerminalColours.areWanted(on: terminal, environment: ["NO_COLOR": "1"]))
        #expect(!TerminalColours.areWanted(on: terminal, environment: ["TERM": "dumb"]))
    }
}
