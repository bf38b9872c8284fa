import CSystem
import Glibc
import JSON
import Network
import Synchronization
import Testing

@testable import Server

/// Worlds of a server under tests, without processes.
@Suite("What a world is asked for and told")
struct TestWorldTests {
    @Test(
        "a wish has a name, an origin and a time, and nothing else",
        arguments: [
            ("", nil, "present", 600), ("{}", nil, "present", 600), (#"{"name": "a-1_B"}"#, "a-1_B", "present", 600),
            (#"{"from": "start", "idleSeconds": 1}"#, nil, "start", 1),
            (#"{"from": {"snapshot": "s"}}"#, nil, "snapshot s", 600),
        ] as [(String, String?, String, Int64)])
    func wishes(body: String, name: String?, origin: String, idleSeconds: Int64) throws {
        let wish = try WorldWish(Array(body.utf8))
        let found =
            switch wish.origin {
            case .present: "present"
            case .start: "start"
            case .snapshot(let name): "snapshot \(name)"
            }
        #expect(wish.name == name && found == origin && wish.idleSeconds == idleSeconds)
    }

    @Test(
        "a wish that is written wrong is refused with what there is",
        arguments: [
            ("[]", "Send {}"), ("{", "Send {}"), (#"{"nam": "a"}"#, "Send {}"), (#"{"from": "b"}"#, "start"),
            (#"{"from": {"snapshot": "a", "b": 1}}"#, "snapshot"), (#"{"from": {}}"#, "snapshot"),
            (#"{"name": ""}"#, "1 to 64"), (#"{"name": "../a"}"#, "1 to 64"),
            ("{\"name\": \"\(String(repeating: "a", count: 65))\"}", "1 to 64"), (#"{"idleSeconds": 0}"#, "1 to 86400"),
            (#"{"idleSeconds": 86401}"#, "1 to 86400"), (#"{"idleSeconds": "1"}"#, "Send {}"),
        ])
    func refusals(body: String, text: String) {
        #expect { _ = try WorldWish(Array(body.utf8)) } throws: { error in
            let answer = error as? ErrorAnswer
            return answer?.status.code == 400 && answer?.message.contains(text) == true
        }
    }

    @Test("there are so many worlds, each with a name of its own, and no more")
    func names() throws {
        var names = WorldNames()
        #expect(try names.reserve("world-2") == "world-2")
        var found = [ByteText("world-2")]
        for _ in 1..<TestControlLimits.worldsMax { found.append(try names.reserve(nil)) }
        #expect(Set(found).count == TestControlLimits.worldsMax && found[1] == "world-1" && found[2] == "world-3")
        func refusal(_ wished: String?) -> String? {
            do throws(ErrorAnswer) { _ = try names.reserve(wished) } catch { return error.message }
            return nil
        }
        #expect(refusal(nil)?.contains("There are 1000 worlds: end some with DELETE /_homeport/worlds/NAME") == true)
        names.remove("world-2")
        #expect(refusal("world-1")?.contains("a world world-1 already") == true)
        #expect(try names.reserve("world-2") == "world-2")
    }

    @Test(
        "databases of worlds are so long together, and no longer; one that they share counts once",
        arguments: [
            (0, [:], true), (1 << 30, [:], true), ((1 << 30) + 1, [:], false), (1, [1: 1 << 30], false),
            (1 << 29, [1: 1 << 28, 2: 1 << 28], true), ((1 << 29) + 1, [1: 1 << 28, 2: 1 << 28], false),
            (1, [1: .max, 2: .max], false), (.max, [:], false), (1 << 30, [9: 1 << 30], true),
            (1 << 29, [9: 1 << 29, 1: 1 << 29], true), (1 << 29, [9: 1 << 29, 1: (1 << 29) + 1], false),
        ] as [(Int64, [UInt64: Int64], Bool)])
    func room(bytes: Int64, others: [UInt64: Int64], isThere: Bool) {
        #expect(((try? WorldNames.demandRoom(for: bytes, of: 9, besides: others)) != nil) == isThere)
    }

    @Test("a state is the same after its way through a line")
    func states() throws {
        for files in ["/tmp/f", nil] as [String?] {
            let state = WorldState(database: "/tmp/d\n.sqlite", files: files, movedMilliseconds: -5, bytes: 9)
            let line = JSONWriter.bytes(of: state.json)
            #expect(!line.contains(UInt8(ascii: "\n")))
            let found = try #require(WorldState(try JSONReader.value(of: line)))
            #expect(found.database == state.database && found.files == files)
            #expect(found.movedMilliseconds == -5)
        }
        #expect(WorldState(["database": "a"]) == nil && WorldState(nil) == nil)
    }

    @Test("a server is idle after a time without requests, and never while a WebSocket is open")
    func idle() {
        let use = TestUse()
        let now = MonotonicTime.now
        #expect(!use.isIdle(forMilliseconds: 60_000, at: now))
        #expect(use.isIdle(forMilliseconds: 60_000, at: now.advanced(byMilliseconds: 61_000)))
        use.opened()
        #expect(!use.isIdle(forMilliseconds: 60_000, at: now.advanced(byMilliseconds: 61_000)))
        use.closed()
        #expect(use.isIdle(forMilliseconds: 60_000, at: now.advanced(byMilliseconds: 122_000)))
        #expect(!use.isIdle(forMilliseconds: 60_000, at: MonotonicTime(nanoseconds: 0)))
    }

    @Test("a world is started with the same schema, and without what is another server's")
    func command() {
        let command = WorldCommand(
            ("c.json", ["schema": ["a.graphql"], "port": ["80"], "seed": ["s"], "explain-auth": ["true"]]),
            ["HOMEPORT_SEED": "x", "HOMEPORT_EXEC_DATABASE": "y", "PATH": "/bin"], .standard, isWatching: false)
        let words = command.words(in: "/w/1")
        #expect(words.suffix(3) == ["--config=c.json", "--schema=a.graphql", "--explain-auth=true"])
        #expect(words.contains("--port=0") && words.contains("--host=127.0.0.1") && !words.contains("--port=80"))
        let variables = command.variables(in: "/w/1", .make())
        #expect(variables["HOMEPORT_SEED"] == nil && variables["HOMEPORT_EXEC_DATABASE"] == nil)
        #expect(variables["PATH"] == "/bin" && variables["TMPDIR"] == "/w/1" && variables["HOMEPORT_EXEC_WORLD"] == "1")
        #expect(variables["HOMEPORT_EVENT_LOOPS"] == "1")
    }

    /// What a program hears that sends lines, and ends its output.
    private func spoken(_ lines: String, isOver: @escaping () -> Bool = { false }) -> [String] {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard homeport_pipe(&reading, &writing) == 0 else { return [] }
        let bytes = Array(lines.utf8)
        _ = write(writing, bytes, bytes.count)
        close(writing)
        defer { close(reading) }
        let heard = Mutex<[String]>([])
        let output = CommandOutput(standard: { text in heard.withLock { $0.append(text) } }, diagnostics: { _ in })
        GuestLines(from: reading).serve(
            ["url": "u"], output, GuestLines.Answers(answer: { ["echo": $0] }, rest: { _ in .none }, isOver: isOver))
        return heard.withLock { $0 }
    }

    @Test("the program that started a server hears where it is, and an answer to each line, until it is gone")
    func lines() {
        let greeting = #"{"url":"u"}"# + "\n"
        #expect(spoken("") == [greeting])
        #expect(
            spoken("1\nno\n[2]\nthe rest") == [
                greeting, "{\"echo\":1}\n", "{\"error\":\"The line is no JSON.\"}\n", "{\"echo\":[2]}\n",
            ])
        #expect(spoken("1\n", isOver: { true }) == [greeting])
    }

    @Test("a server that is told to end by a signal stops reading lines")
    func signals() {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard homeport_pipe(&reading, &writing) == 0 else { return }
        defer { for descriptor in [reading, writing] { close(descriptor) } }
        let lines = GuestLines(from: reading)
        lines.end()
        lines.serve(
            .null, CommandOutput(standard: { _ in }, diagnostics: { _ in }),
            GuestLines.Answers(answer: { $0 }, rest: { _ in .none }, isOver: { false }))
    }

    @Test("a world that hears nothing for a moment rests, and goes on hearing")
    func rests() {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard homeport_pipe(&reading, &writing) == 0 else { return }
        defer { for descriptor in [reading, writing] { close(descriptor) } }
        let lines = GuestLines(from: reading)
        let rests = Mutex(0)
        let heard = Mutex(0)
        lines.serve(
            .null, CommandOutput(standard: { _ in }, diagnostics: { _ in }),
            GuestLines.Answers(
                answer: { order in
                    heard.withLock { $0 += 1 }
                    lines.end()
                    return order
                },
                rest: { _ in
                    rests.withLock { $0 += 1 }
                    return write(writing, "1\n", 2) == 2 ? .rested(forMilliseconds: .max) : .none
                }, isOver: { false }))
        #expect(rests.withLock { $0 } == 1 && heard.withLock { $0 } == 1)
    }

    @Test("a world that rests is woken by its next use, and rests again")
    func woken() {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard homeport_pipe(&reading, &writing) == 0 else { return }
        defer { for descriptor in [reading, writing] { close(descriptor) } }
        let lines = GuestLines(from: reading)
        let use = TestUse()
        let rests = Mutex(0)
        lines.serve(
            .null, CommandOutput(standard: { _ in }, diagnostics: { _ in }),
            GuestLines.Answers(
                answer: { $0 },
                rest: { whenUsed in
                    let isFirst = rests.withLock { rests in
                        rests += 1
                        return rests == 1
                    }
                    guard isFirst, use.callAtNext(since: use.last, whenUsed) else {
                        lines.end()
                        return .none
                    }
                    use.note()
                    return .rested(forMilliseconds: .max)
                }, isOver: { false }))
        #expect(rests.withLock { $0 } == 2)
    }

    @Test("a use wakes those who wait for it once, and one before is not waited for")
    func uses() {
        let use = TestUse()
        let calls = Mutex(0)
        func isAwaited(since last: MonotonicTime) -> Bool {
            use.callAtNext(since: last) { calls.withLock { $0 += 1 } }
        }
        let last = use.last
        #expect(isAwaited(since: last) && calls.withLock { $0 } == 0)
        for _ in 0..<3 { use.note() }
        #expect(calls.withLock { $0 } == 1)
        #expect(!isAwaited(since: last))
        #expect(isAwaited(since: use.last))
        use.opened()
        #expect(calls.withLock { $0 } == 2 && !isAwaited(since: use.last))
        use.closed()
        #expect(calls.withLock { $0 } == 2 && isAwaited(since: use.last))
    }

    @Test("a greeting names what a command would find, and what it would not")
    func greeting() {
        let greeting = GuestLines.greeting(
            [
                "HOMEPORT_URL": "u", "HOMEPORT_EXEC_WORLD": "1", "HOMEPORT_TEST_KEY": "k", "PATH": "/bin",
                "AWS_REGION": "r",
            ],
            over: [
                "HOMEPORT_EXEC_WORLD": "1", "HOMEPORT_TEST_KEY": "k", "PATH": "/bin", "AWS_PROFILE": "p",
            ], outputs: Array("{}".utf8))
        #expect(
            greeting["url"] == "u" && greeting["testKey"] == "k" && greeting["apiKey"] == .null
                && greeting["outputs"] == .object(JSONObject()))
        #expect(
            greeting["variables"] == [
                "AWS_PROFILE": .null, "AWS_REGION": "r", "HOMEPORT_TEST_KEY": "k", "HOMEPORT_URL": "u",
            ])
    }
}
