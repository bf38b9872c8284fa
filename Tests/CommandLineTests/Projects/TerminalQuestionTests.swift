import Foundation
import Glibc
import TestSupport
import Testing

@testable import homeport

/// A server whose person sits at its terminal, and is asked before an edit loses data.
@Suite("A question at the terminal")
struct TerminalQuestionTests {
    /// A terminal: what is typed at one side, and the name of the other.
    private final class Terminal {
        private let side: Int32
        let name: String
        private(set) var shown = ""

        init() throws {
            side = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (lock, number) = (Int32(0), Int32(0))
            // Linux's own: unlocks the other side, and says which it is.
            try #require(side >= 0 && ioctl(side, 0x4004_5431, &lock) == 0 && ioctl(side, 0x8004_5430, &number) == 0)
            name = "/dev/pts/\(number)"
        }

        deinit { close(side) }

        func type(_ text: String) throws {
            let bytes = Array(text.utf8)
            try #require(write(side, bytes, bytes.count) == bytes.count)
        }

        /// Waits until it shows a text so often.
        func wait(for text: String, times: Int = 1) throws {
            let deadline = ContinuousClock.now + .seconds(120)
            while shown.components(separatedBy: text).count <= times {
                try #require(ContinuousClock.now < deadline, "\(shown)")
                var descriptor = pollfd(fd: side, events: Int16(POLLIN), revents: 0)
                guard poll(&descriptor, 1, 100) > 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let count = read(side, &bytes, bytes.count)
                if count > 0 { shown += String(decoding: bytes.prefix(count), as: UTF8.self) }
            }
        }
    }

    private static func schema(_ fields: String) -> String {
        "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! \(fields) }"
    }

    @Test("only yes forces what would lose data, what was typed before counts for nothing, and a stop waits for nobody")
    func answers() throws {
        let (folder, terminal, output) = (TemporaryFolder(), try Terminal(), Pipe())
        try folder.write(Self.schema("name: String"), to: "schema.graphql")
        let server = try ChildProcess(
            [HomeportProcess.program, "serve", "--port", "0", "--watch"], environment: ["PATH": "/usr/bin:/bin"],
            in: folder.path, input: .file(terminal.name), output: .pipe(output), errors: .file(terminal.name))
        defer {
            server.signal(SIGKILL)
            server.wait()
        }
        func edit(_ fields: String) throws {
            try folder.write(Self.schema(fields), to: "schema.part")
            _ = rename(folder.file("schema.part"), folder.file("schema.graphql"))
        }
        var banner = ""
        while !banner.contains("http://") {
            let piece = output.fileHandleForReading.readSome()
            try #require(!piece.isEmpty, "\(banner) \(terminal.shown)")
            banner += String(decoding: piece, as: UTF8.self)
        }
        let port = try #require(banner.firstMatch(of: /http:\/\/[^ ]*:(\d+)\//).flatMap { UInt16($0.1) })
        let client = try OperationClient(port: port)
        _ = try client.answer(to: #"mutation { createTodo(input: {id: "a", name: "n"}) { id } }"#)
        let question = "Force them now? [y/N]"
        try terminal.type("y\n")
        try edit("done: Boolean")
        try terminal.wait(for: question)
        #expect(terminal.shown.contains("Todo.name"))
        try terminal.type("perhaps\n")
        try terminal.wait(for: "the data is as it was")
        try edit("done: Boolean  other: Int")
        try terminal.wait(for: question, times: 2)
        try terminal.type("YES\n")
        try terminal.wait(for: "the schema has changed, and is served")
        #expect(terminal.shown.contains("a copy of the data was written before it was changed"))
        // A question that is open when the server is to stop is given up.
        _ = try client.answer(to: #"mutation { updateTodo(input: {id: "a", done: true}) { id } }"#)
        try edit("other: Int")
        try terminal.wait(for: question, times: 3)
        // The next edit withdraws a question that nobody answers, and is served.
        try edit("done: Boolean  other: Int")
        try terminal.wait(for: "this question is withdrawn")
        try terminal.wait(for: "the project is as it was before, and is served")
        try edit("other: Int")
        try terminal.wait(for: question, times: 4)
        try edit("done: Boolean  other: Int  more: String")
        try terminal.wait(for: "this question is withdrawn", times: 2)
        try terminal.wait(for: "the schema has changed, and is served", times: 2)
        try edit("other: Int  more: String")
        try terminal.wait(for: question, times: 5)
        server.signal(SIGTERM)
        #expect(server.wait() == .code(0), "\(terminal.shown)")
    }
}
