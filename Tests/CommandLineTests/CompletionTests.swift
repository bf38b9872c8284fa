import Foundation
import Server
import Testing

@testable import homeport

@Suite("Completion")
struct CompletionTests {
    static let rows: [(words: [String], expected: [String])] = [
        (["se"], ["serve"]),
        (["he"], ["health", "help"]),
        (["serve", "--po"], ["--port"]),
        (["serve", "--log-"], ["--log-format", "--log-level"]),
        (["serve", "--log-format", ""], ["json", "text"]),
        (["completion", ""], ["bash", "fish", "zsh"]),
        (["help", "cert"], ["certificate"]),
        (["health", "--ti"], ["--timeout"]),
    ]

    /// The script in a file of its own.
    private func script(_ shell: String) throws -> String {
        let outcome = run(["completion", shell])
        #expect(outcome.code == .success)
        let file = NSTemporaryDirectory() + "homeport-\(UUID().uuidString).\(shell)"
        try outcome.output.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    @Test("bash completes", arguments: rows)
    func bash(words: [String], expected: [String]) throws {
        let file = try script("bash")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let quoted = (["homeport"] + words).map { CompletionScript.quoted($0) }.joined(separator: " ")
        let answer = try shell(
            "bash",
            [
                "--norc", "-c",
                "set -eu; . \(file); COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); _homeport; printf '%s\\n' \"${COMPREPLY[@]}\"",
            ])
        guard let answer else { return }
        #expect(answer.split(separator: "\n").map(String.init).sorted() == expected)
    }

    @Test("bash completes the value behind an equals sign, which is a word of its own there")
    func bashEquals() throws {
        let file = try script("bash")
        defer { try? FileManager.default.removeItem(atPath: file) }
        for (words, index) in [("homeport serve --log-format = j", 4), ("homeport serve --log-format =", 3)] {
            let answer = try shell(
                "bash",
                [
                    "--norc", "-c",
                    ". \(file); COMP_WORDS=(\(words)); COMP_CWORD=\(index); _homeport; echo \"${COMPREPLY[@]}\"",
                ])
            guard let answer else { return }
            #expect(answer.contains("json"))
        }
    }

    @Test("fish completes", arguments: rows)
    func fish(words: [String], expected: [String]) throws {
        let file = try script("fish")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let line = (["homeport"] + words).joined(separator: " ")
        let answer = try shell(
            "fish", ["--no-config", "-c", "source \(file); complete -C \(CompletionScript.quoted(line))"])
        guard let answer else { return }
        let found = answer.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(found.sorted() == expected)
    }

    /// Zsh completes in an interactive shell only, which `zpty` gives it. The marks tell its answer from its prompt.
    @Test("zsh completes", arguments: rows.filter { $0.expected.count == 1 })
    func zsh(words: [String], expected: [String]) throws {
        let file = try script("zsh")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let line = (["homeport"] + words).joined(separator: " ")
        let answer = try shell(
            "zsh",
            [
                "-f", "-c",
                """
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell "PS1='' PS2=''; unsetopt zle_bracketed_paste prompt_cr prompt_sp; autoload -U compinit; compinit -D -u"
                zpty -w shell "source \(file)"
                zpty -w shell "finish() { print -r -- \\"<\\$BUFFER>\\"; exit }; zle -N finish; bindkey '^X' finish; print rea''dy"
                zpty -r -m shell text '*ready*'
                zpty -w -n shell $'\(line)\\t\\x18'
                zpty -r -m shell text '*<*>*'
                print -r -- "$text"
                zpty -d shell
                """,
            ])
        guard let answer else { return }
        let completed = (["homeport"] + words.dropLast() + expected).joined(separator: " ")
        #expect(answer.contains("<\(completed)"), "\(answer)")
    }

    @Test("each script knows all commands and options that are there", arguments: CommandTable.shells)
    func isComplete(shell: String) {
        let text = CompletionScript.text(for: shell)
        for command in CommandTable.all {
            #expect(text.contains(command.name))
            for option in command.options { #expect(text.contains(option.name)) }
        }
        let marks = ["bash": "        NAME)", "zsh": "'NAME:", "fish": " -a NAME "]
        for command in CommandTable.all {
            let mark = marks[shell]?.replacing("NAME", with: command.name) ?? ""
            #expect(text.contains(mark))
        }
    }
}
