import Foundation
import Server
import TestSupport
import Testing

/// `homeport exec`: a server for one command.
@Suite("A command beside a server of its own")
struct ExecTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(
            "type Todo @model @auth(rules: [{allow: public}]) { id: ID! name: String }", to: "schema.graphql")
    }

    /// What the command ends with, and what both print.
    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        let (process, output, errors) = try ProgramRun.start(["exec"] + arguments, in: folder)
        let ending = process.wait()
        #expect(ending == .code(ending.status))
        return (
            ending.status, try String(contentsOfFile: output, encoding: .utf8),
            try String(contentsOfFile: errors, encoding: .utf8)
        )
    }

    /// A request with what the variables say, as a shell makes it.
    private static func request(_ query: String) -> String {
        #"curl -s "$HOMEPORT_URL/graphql" -H "x-api-key: $HOMEPORT_API_KEY" -d '{"query": "\#(query)"}'"#
    }

    @Test("the command finds the server, its key and the file for apps, and its code is the program's")
    func finds() throws {
        let script = """
            \(Self.request("mutation { createTodo(input: {id: \\\"a\\\"}) { id } }")); echo
            test "$AWS_ENDPOINT_URL" = "$HOMEPORT_URL" && test "$AWS_ACCESS_KEY_ID" = local && test -n "$AWS_REGION" && test "$AWS_DEFAULT_REGION" = "$AWS_REGION" || exit 3
            grep -o '"url": "[^"]*"' "$AMPLIFY_OUTPUTS" | head -1; echo "$HOMEPORT_URL"; echo "$AMPLIFY_OUTPUTS"
            exit 7
            """
        let (status, output, errors) = try run(["--", "sh", "-c", script])
        #expect(status == 7 && errors.isEmpty, "\(errors)")
        let lines = output.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(output)")
        #expect(lines[0] == #"{"data":{"createTodo":{"id":"a"}}}"#)
        #expect(lines[1] == #""url": "\#(lines[2])/graphql""#)
        #expect(!FileManager.default.fileExists(atPath: lines[3]))
        // Nothing is kept, and no file of the project is written.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "err.txt", "out.txt", "schema.graphql",
            ])
    }

    @Test("commands of this program within it speak to its server, in a folder in which nothing was served yet")
    func within() throws {
        try folder.write(
            "type Note @model @auth(rules: [{allow: owner}]) { id: ID! }", to: "schema.graphql")
        let note = #"'{"query": "mutation { createNote(input: {}) { owner } }"}'"#
        let script = """
            homeport=\(HomeportProcess.program)
            token() { "$homeport" token --username "$1" 2>> said.txt; }
            $homeport health
            curl -s "$HOMEPORT_URL/graphql" -H "authorization: $(token ann)" -d \(note); echo
            $homeport users add bob --email bob@example.com --password Secret-1234
            curl -s "$HOMEPORT_URL/graphql" -H "authorization: $(token bob)" -d \(note); echo
            $homeport users list --json
            $homeport users list --json | grep -o '"Name":"sub","Value":"[^"]*"' | cut -d '"' -f 8
            echo hello > f.txt && $homeport files put public/f.txt --file f.txt && $homeport files get public/f.txt
            $homeport export | grep -c '"type":"Note"'
            $homeport export | grep -o '"owner":"[^"]*::bob"'
            $homeport outputs --out o.json && grep -o '"user_pool_client_id": "[^"]*"' o.json "$AMPLIFY_OUTPUTS" | sed 's/^[^:]*://' | sort -u | wc -l
            """
        let (status, output, errors) = try run(["--", "sh", "-c", script])
        let lines = output.split(separator: "\n").map(String.init)
        #expect(status == 0, "\(output)\n\(errors)")
        #expect(lines.first == "healthy", "\(output)\n\(errors)")
        #expect(
            lines.count(where: { $0.hasPrefix(#"{"data":{"createNote":{"owner":""#) }) == 2, "\(output)\n\(errors)")
        let sub = lines.first { $0.utf8.count == 36 && !$0.contains("{") } ?? "none"
        // The record has the whole owner, of which the API shows the name.
        #expect(output.contains(#"{"createNote":{"owner":"bob"}}"#), "\(output)\n\(errors)")
        #expect(lines.contains(#""owner":"\#(sub)::bob""#), "\(output)\n\(errors)")
        #expect(
            lines.contains("hello") && lines.contains("2") && output.contains("bob@example.com"),
            "\(output)\n\(errors)")
        #expect(lines.last?.trimmingCharacters(in: .whitespaces) == "1", "\(output)\n\(errors)")
    }

    @Test("seeds come before the command, as records and as a command, and one that fails is the end")
    func seeds() throws {
        try folder.write(#"{"type": "Todo", "record": {"id": "1", "name": "file"}}"#, to: "seed.jsonl")
        let list = Self.request("{ listTodos { items { name } } }")
        let add = Self.request(#"mutation { createTodo(input: {name: \"command\"}) { id } }"#) + " > /dev/null"
        let (status, output, _) = try run(["--seed", "seed.jsonl", "--seed-command", add, "--", "sh", "-c", list])
        #expect(
            status == 0 && output.contains(#"{"name":"file"}"#) && output.contains(#"{"name":"command"}"#),
            "\(output)")
        let failed = try run(["--seed-command", "exit 5", "--", "echo", "never"])
        #expect(failed.status == 5 && failed.output.isEmpty)
        #expect(failed.errors == "homeport: the seed's command ended with 5: exit 5\n")
    }

    @Test(
        "what cannot be run, and what a signal ends, is told as a shell does",
        arguments: [
            (["no-such-program"], 127, "cannot run no-such-program: No such file or directory"),
            (["./schema.graphql"], 126, "cannot run ./schema.graphql: Permission denied"),
            (["sh", "-c", "kill -KILL $$"], 137, ""), (["sh", "-c", "kill -SEGV $$"], 139, ""),
            (["sh", "-c", "exit 255"], 255, ""), (["true"], 0, ""),
        ] as [([String], Int32, String)])
    func ends(words: [String], status: Int32, message: String) throws {
        let outcome = try run(["--"] + words)
        #expect(outcome.status == status)
        #expect(
            message.isEmpty ? outcome.errors.isEmpty : outcome.errors == "homeport: \(message)\n",
            "\(outcome.errors)")
    }

    @Test("no server, no command: what is wrong is told with the program's own codes")
    func refused() throws {
        let before = try run([])
        #expect(
            before.status == ExitCode.usage.rawValue && before.errors.contains("expected -- and behind it COMMAND"))
        try folder.write("type Todo @model { id: Nope }", to: "schema.graphql")
        let schema = try run(["--", "echo", "never"])
        #expect(
            schema.status == ExitCode.failure.rawValue && schema.output.isEmpty && schema.errors.contains("Nope"))
    }

    @Test("the words behind -- are the command's, whatever they look like")
    func words() throws {
        let said = try run(["schema.graphql", "--", "echo", "--port", "--", "-x", "a b"]).output
        #expect(said == "--port -- -x a b\n")
    }

    @Test(
        "who ends the program ends the command, which is served until then", .timeLimit(.minutes(10)),
        arguments: [SIGTERM, SIGINT])
    func signalled(number: Int32) throws {
        let script = """
            finish() { \(Self.request("{ listTodos { items { id } } }")); exit 9; }
            trap finish TERM INT
            echo "$AMPLIFY_OUTPUTS" > begun.part; mv begun.part begun
            while :; do sleep 0.05; done
            """
        let (process, output, _) = try ProgramRun.start(["exec", "--", "sh", "-c", script], in: folder)
        let begun = folder.file("begun")
        try folder.wait(for: "begun")
        process.signal(number)
        #expect(process.wait() == .code(9))
        #expect(try String(contentsOfFile: output, encoding: .utf8) == #"{"data":{"listTodos":{"items":[]}}}"#)
        let file = try String(contentsOfFile: begun, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(
        "a command that does not end is ended with the time for a stop, or by a second signal", .timeLimit(.minutes(10))
    )
    func stubborn() throws {
        for isRepeated in [false, true] {
            let script =
                "trap ': > told' TERM; echo $$ > begun.part; mv begun.part begun; while :; do sleep 0.05; done"
            try folder.write(
                #"{"limits": {"stopMilliseconds": \#(isRepeated ? 600_000 : 100)}}"#, to: "homeport.json")
            let (process, _, _) = try ProgramRun.start(
                ["exec", "--config", "homeport.json", "--", "sh", "-c", script], in: folder)
            let begun = folder.file("begun")
            try folder.wait(for: "begun")
            process.signal(SIGTERM)
            if isRepeated {
                // Two that come at once are one: the first has come to the command.
                try folder.wait(for: "told")
                process.signal(SIGTERM)
            }
            // The command's own end may be there first.
            let code = isRepeated ? 128 + SIGTERM : ExitCode.stopTookTooLong.rawValue
            #expect([code, 128 + SIGKILL].contains(process.wait().status))
            let text = try String(contentsOfFile: begun, encoding: .utf8).trimmingCharacters(in: .newlines)
            let command = try #require(Int32(text))
            try eventually("the command \(command) has ended") { kill(command, 0) != 0 }
            // The next command writes them anew, and is waited for.
            try FileManager.default.removeItem(atPath: begun)
            try? FileManager.default.removeItem(atPath: folder.file("told"))
        }
    }

    @Test(
        "a program that is killed takes its command with it, and the next one removes its folder",
        .timeLimit(.minutes(10)))
    func killed() throws {
        let script = """
            trap ': > ended; exit 1' TERM
            printf "$$ $AMPLIFY_OUTPUTS" > begun.part; mv begun.part begun
            while :; do sleep 0.05; done
            """
        let (process, _, _) = try ProgramRun.start(["exec", "--", "sh", "-c", script], in: folder)
        try folder.wait(for: "begun")
        process.signal(SIGKILL)
        _ = process.wait()
        try folder.wait(for: "ended")
        let told = try String(contentsOfFile: folder.file("begun"), encoding: .utf8).split(separator: " ")
        let (command, file) = (try #require(told.first.flatMap { Int32($0) }), String(try #require(told.last)))
        try eventually("the command \(command) has ended") { kill(command, 0) != 0 }
        // Another test's may have done it by now. Each looks at some, and many may be left here from before.
        for _ in 0..<20 where FileManager.default.fileExists(atPath: file) {
            #expect(try run(["--", "true"]).status == 0)
        }
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("twenty runs in a row leave nothing behind", .timeLimit(.minutes(10)))
    func many() throws {
        for number in 0..<20 {
            let (status, output, _) = try run(["--", "sh", "-c", "echo \"$AMPLIFY_OUTPUTS\"; exit \(number)"])
            #expect(status == Int32(number) && output.hasSuffix("/amplify_outputs.json\n"))
            #expect(
                !FileManager.default.fileExists(atPath: String(output.dropLast("/amplify_outputs.json\n".count))))
        }
    }
}
