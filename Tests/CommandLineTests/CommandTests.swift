import Foundation
import Server
import Testing

@testable import homeport

@Suite("Commands")
struct CommandTests {
    @Test("each option of a command is there once, and each setting's option is one of serve")
    func tableIsSound() {
        for command in CommandTable.all {
            let names = command.options.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
            #expect(!names.contains("help"))
        }
        let serve = CommandTable.command(named: "serve")?.options.map(\.name) ?? []
        #expect(ConfigurationKey.all.compactMap(\.option).allSatisfy(serve.contains))
    }

    @Test("each command says what it does, on one screen", arguments: CommandTable.all.map(\.name))
    func helps(name: String) {
        let asked = run([name, "--help"])
        #expect(asked.code == .success)
        #expect(asked.output.hasPrefix("Usage: homeport \(name)"))
        #expect(asked.output == run(["help", name]).output)
        for option in CommandTable.command(named: name)?.options ?? [] {
            #expect(asked.output.contains("--\(option.name)"))
        }
        #expect(asked.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test("help wins over what else is wrong before it")
    func helpsFirst() {
        #expect(run(["completion", "--help"]).code == .success)
        #expect(run(["serve", "--port", "1", "-h"]).output.hasPrefix("Usage: homeport serve"))
    }

    @Test("the help names all commands that are there, all exit codes, and nothing that is not there")
    func helpIsComplete() {
        let text = run(["help"]).output
        #expect(text == run(["--help"]).output)
        for command in CommandTable.all { #expect(text.contains("\n  \(command.name) ")) }
        for code in ExitCode.allCases { #expect(text.contains("\n  \(code.rawValue) ")) }
        #expect(run(["help", "srve"]).diagnostics == "homeport: there is no command \"srve\"; did you mean serve?\n")
        #expect(run(["help", "srve"]).code == .usage)
    }

    @Test("the version is one line")
    func printsVersion() {
        #expect(run(["version"]).output == "homeport \(Version.number)\n")
        #expect(run(["--version"]).output == run(["version"]).output)
    }

    @Test("the configuration is printed with the origin of each value")
    func printsConfiguration() {
        let outcome = run(
            ["serve", "--print-config", "--port", "7"],
            environment: ["HOMEPORT_LOG_LEVEL": "debug", "HOMEPORT_AUTH_API_KEYS": "[{\"key\":\"da2-own\"}]"])
        #expect(outcome.code == .success)
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["port", "7", "--port"]))
        #expect(lines.contains(["log.level", "\"debug\"", "HOMEPORT_LOG_LEVEL"]))
        #expect(lines.contains(["host", "\"127.0.0.1\"", "default"]))
        #expect(lines.contains(["auth.apiKeys", "[{\"key\":\"********\"}]", "HOMEPORT_AUTH_API_KEYS"]))
        #expect(lines.count == ConfigurationKey.all.count)
    }

    @Test(
        "a wrong configuration ends every command that needs one",
        arguments: [
            ["serve", "--print-config"], ["serve"], ["health"], ["certificate"], ["token", "--username", "u"],
        ])
    func refusesConfiguration(arguments: [String]) {
        let outcome = run(arguments, environment: ["HOMEPORT_PORT": "x"])
        #expect(outcome.code == .configuration)
        #expect(
            outcome.diagnostics == "homeport: HOMEPORT_PORT: port: expected an integer from 0 to 65535, found \"x\"\n")
    }

    @Test("a certificate is made in the data folder")
    func makesCertificate() throws {
        let folder = NSTemporaryDirectory() + "homeport-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = run(["certificate", "--data", folder, "--name", "api.home.arpa"])
        #expect(outcome.code == .success)
        #expect(outcome.output.contains("\(folder)/certificates/certificate.pem"))
        #expect(outcome.output.contains("api.home.arpa, localhost"))
        #expect(FileManager.default.fileExists(atPath: "\(folder)/certificates/key.pem"))
        let wrong = run(["certificate", "--data", folder, "--name", "not a name"])
        #expect(wrong.code == .usage)
        #expect(run(["certificate", "--data", "/dev/null/x"]).code == .unwritableOutput)
    }

    @Test("the reference is what the table says")
    func isDocumented() throws {
        let root = #filePath.split(separator: "/").prefix { $0 != "Tests" }.map { "/" + $0 }.joined()
        let file = root + "/docs/command-line.md"
        if ProcessInfo.processInfo.environment["HOMEPORT_UPDATE_DOCUMENTS"] != nil {
            try CommandReference.markdown().write(toFile: file, atomically: true, encoding: .utf8)
        }
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        #expect(
            text == CommandReference.markdown(), "docs/command-line.md is not what the table says: run `make documents`"
        )
    }
}
