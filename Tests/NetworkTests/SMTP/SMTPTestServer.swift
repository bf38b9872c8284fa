import Glibc
import Network
import Synchronization

/// A mail server that takes mails, and does besides what a test says. It blocks, each connection on a thread of its own.
final class SMTPTestServer: Sendable {
    struct Script: Sendable {
        /// Whether TLS begins with the connection.
        var isSecure = false
        var extensions: [String] = ["SIZE 1000000"]
        /// What is sent in clear behind the answer to STARTTLS, in one piece with it.
        var injection = ""
        /// Whether each byte is a packet of its own.
        var isSlow = false
        /// What is answered to the command of that connection in place of the usual; "CONNECT" stands for its greeting, "." for
        /// the end of a mail.
        var answer: @Sendable (_ connection: Int, _ command: String) -> Answer? = { _, _ in nil }
    }

    enum Answer: Sendable {
        case line(String)
        /// The connection ends.
        case end
        /// Nothing more is said, until the client ends it.
        case silence
    }

    struct Mail: Sendable, Equatable {
        let from: String
        let to: String
        let text: String
        let isSecure: Bool
        /// Who had signed in.
        let user: String?
    }

    private struct State {
        var mails: [Mail] = []
        var commands: [String] = []
        var goodbyes = 0
    }

    private let server: ScriptedServer
    private let state: StateBox

    private final class StateBox: Sendable {
        let state = Mutex(State())
    }

    init(_ script: Script = Script()) {
        let box = StateBox()
        state = box
        server = ScriptedServer { number, peer in
            let session = SMTPTestSession(script, connection: number, peer.descriptor)
            session.serve(
                command: { command in box.state.withLock { $0.commands.append(command) } },
                mail: { mail in box.state.withLock { $0.mails.append(mail) } })
        }
    }

    var port: UInt16 { server.port }
    var connections: Int { server.connections }
    var mails: [Mail] { state.state.withLock { $0.mails } }
    /// All that clients have said but the lines of mails, of all connections.
    var commands: [String] { state.state.withLock { $0.commands } }

    func stop() { server.stop() }
}

/// One connection of the server.
private final class SMTPTestSession {
    private let script: SMTPTestServer.Script
    private let connection: Int
    private let descriptor: Int32
    private var tls: TLSSession?
    private var user: String?

    init(_ script: SMTPTestServer.Script, connection: Int, _ descriptor: Int32) {
        self.script = script
        self.connection = connection
        self.descriptor = descriptor
    }

    func serve(command note: (String) -> Void, mail take: (SMTPTestServer.Mail) -> Void) {
        if script.isSecure, !secure() { return }
        guard say("CONNECT", "220 mail.test ESMTP") else { return }
        var (from, to) = ("", "")
        while let line = readLine() {
            note(line)
            let verb = line.prefix { $0 != " " }.uppercased()
            switch verb {
            case "EHLO":
                let words = ["hello"] + script.extensions.filter { $0 != "STARTTLS" || tls == nil }
                let lines = words.enumerated().map { "250\($0 == words.count - 1 ? " " : "-")\($1)" }
                guard say(line, lines.joined(separator: "\r\n")) else { return }
            case "STARTTLS":
                guard say(line, "220 go\(script.injection.isEmpty ? "" : "\r\n" + script.injection)"), secure() else {
                    return
                }
            case "AUTH":
                guard signIn(line, note) else { return }
            case "MAIL":
                from = String(line.dropFirst("MAIL FROM:<".count).prefix { $0 != ">" })
                guard say(line, "250 ok") else { return }
            case "RCPT":
                to = String(line.dropFirst("RCPT TO:<".count).prefix { $0 != ">" })
                guard say(line, "250 ok") else { return }
            case "DATA":
                guard say(line, "354 go") else { return }
                // A refusal is followed by the next command.
                if let answer = script.answer(connection, line), case .line(let text) = answer, !text.hasPrefix("354") {
                    continue
                }
                var lines: [String] = []
                while let line = readLine(), line != "." {
                    lines.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
                }
                if script.answer(connection, ".") == nil {
                    take(
                        SMTPTestServer.Mail(
                            from: from, to: to, text: lines.joined(separator: "\n"), isSecure: tls != nil, user: user))
                }
                guard say(".", "250 2.0.0 queued") else { return }
            case "QUIT":
                _ = say(line, "221 bye")
                return
            default:
                guard say(line, verb == "RSET" || verb == "HELO" ? "250 ok" : "500 what?") else { return }
            }
        }
    }

    private func signIn(_ line: String, _ note: (String) -> Void) -> Bool {
        var answer = "535 5.7.8 no"
        if line == "AUTH LOGIN" {
            guard say(line, "334 VXNlcm5hbWU6"), let name = readLine() else { return false }
            note(name)
            guard say(name, "334 UGFzc3dvcmQ6"), let password = readLine() else { return false }
            note(password)
            if (name, password) == ("YXBw", "aHVudGVyMg==") { answer = "235 welcome" }
        } else if line == "AUTH PLAIN AGFwcABodW50ZXIy" {
            answer = "235 welcome"
        }
        if answer.hasPrefix("2") { user = "app" }
        return say("AUTH", answer)
    }

    private func secure() -> Bool {
        guard let context = try? TestCertificates.server(),
            let session = try? TLSSession(serving: context, over: descriptor)
        else { return false }
        tls = consume session
        return true
    }

    /// False when the connection is over.
    private func say(_ command: String, _ usual: String) -> Bool {
        switch script.answer(connection, command) {
        case nil: return write("\(usual)\r\n")
        case .line(let line): return write("\(line)\r\n")
        case .end: return false
        case .silence:
            while readLine() != nil {}
            return false
        }
    }

    private func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let step = script.isSlow ? 1 : bytes.count
        for start in stride(from: 0, to: bytes.count, by: step) {
            let piece = bytes[start..<min(start + step, bytes.count)]
            let isWritten = piece.withUnsafeBytes { buffer in
                if tls != nil { return tls?.write(buffer) == .done(buffer.count) }
                return Glibc.write(descriptor, buffer.baseAddress, buffer.count) == buffer.count
            }
            guard isWritten else { return false }
        }
        return true
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while !line.suffix(2).elementsEqual([13, 10]) {
            let isRead = withUnsafeMutableBytes(of: &byte) { buffer in
                if tls != nil { return tls?.read(into: buffer) == .done(1) }
                return Glibc.read(descriptor, buffer.baseAddress, 1) == 1
            }
            guard isRead else { return nil }
            line.append(byte)
        }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }
}
