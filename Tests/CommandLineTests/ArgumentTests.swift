import Server
import Testing

@testable import homeport

@Suite("Arguments")
struct ArgumentTests {
    static let good: [(arguments: [String], command: String, options: [String: [String]], operand: String?)] = [
        (["serve"], "serve", [:], nil),
        (["serve", "--port", "1"], "serve", ["port": ["1"]], nil),
        (["serve", "--port=1"], "serve", ["port": ["1"]], nil),
        (["serve", "--port", "1", "--port=2"], "serve", ["port": ["2"]], nil),
        (
            ["serve", "--explain-auth", "--print-config"], "serve",
            ["explain-auth": ["true"], "print-config": ["true"]], nil
        ),
        (["serve", "--explain-auth=false"], "serve", ["explain-auth": ["false"]], nil),
        (["serve", "--no-console", "--no-watch"], "serve", ["console": ["false"], "watch": ["false"]], nil),
        (["serve", "a.graphql", "--port", "1"], "serve", ["schema": ["a.graphql"], "port": ["1"]], "a.graphql"),
        (["check", "a.graphql"], "check", ["schema": ["a.graphql"]], "a.graphql"),
        (["schema", "--amplify", "--", "-a"], "schema", ["schema": ["-a"], "amplify": ["true"]], "-a"),
        (["serve", "--schema", "--odd"], "serve", ["schema": ["--odd"]], nil),
        (["serve", "--schema=a=b"], "serve", ["schema": ["a=b"]], nil),
        (["serve", "--database", ":memory:"], "serve", ["database": [":memory:"]], nil),
        (["serve", "--"], "serve", [:], nil),
        (["certificate", "--name", "a", "--name=b"], "certificate", ["name": ["a", "b"]], nil),
        (["help", "serve"], "help", [:], "serve"), (["help", "--", "serve"], "help", [:], "serve"),
        (["--help"], "help", [:], nil), (["-h", "serve"], "help", [:], "serve"), (["--version"], "version", [:], nil),
        (["completion", "zsh"], "completion", [:], "zsh"),
        (["check", "--schema", "x"], "check", ["schema": ["x"]], nil),
        (["schema", "--auth-directives"], "schema", ["auth-directives": ["true"]], nil),
        (
            ["token", "--username", "u", "--group", "a", "--group", "b", "--expires", "1h"], "token",
            ["username": ["u"], "group": ["a", "b"], "expires": ["1h"]], nil
        ),
        (["export"], "export", [:], nil), (["import", "-"], "import", ["in": ["-"]], "-"),
    ]

    @Test("arguments are read by the table", arguments: good)
    func reads(arguments: [String], command: String, options: [String: [String]], operand: String?) throws {
        let invocation = try ArgumentParser.parse(arguments)
        #expect(invocation.command.name == command)
        #expect(invocation.options == options)
        #expect(invocation.operand == operand)
    }

    static let bad: [(arguments: [String], message: String)] = [
        ([], "expected a command"),
        (["srve"], "there is no command \"srve\"; did you mean serve?"),
        (["banana"], "there is no command \"banana\""),
        (["--port", "1"], "expected a command, found the option --port"),
        (["serve", "--prot", "1"], "serve has no option --prot; did you mean --port?"),
        (["serve", "--banana"], "serve has no option --banana"),
        (["serve", "-p", "3000"], "serve has no option -p; did you mean --port?"),
        (["serve", "-s", "a"], "serve has no option -s; did you mean --schema?"),
        (["serve", "-port", "1"], "serve has no option -port; did you mean --port?"),
        (["serve", "-x"], "serve has no option -x"),
        (["serve", "--no-port"], "serve has no option --no-port"),
        (["serve", "--no-watch=true"], "--no-watch takes no value"),
        (
            ["exec", "echo", "hi"],
            "expected nothing more, found \"hi\"; put -- before the command: homeport exec -- echo hi"
        ),
        (["exec"], "expected -- and behind it COMMAND"),
        (["exec", "--stdio", "--", "ls"], "--stdio takes the place of COMMAND: give one of the two"),
        (["outputs", "--format", "aws-export"], "--format is one of gen2, gen2-javascript, gen1, "),
        (["outputs", "--outputs-version", "2"], "--outputs-version is one of 1, 1.1, 1.2, 1.3, 1.4, 1.5, not \"2\""),
        (["console"], "there is no command \"console\": it is the page at / "),
        (["check", "a", "--schema", "b"], "expected one SCHEMA, found two: --schema is the same"),
        (["serve", "a", "b"], "expected nothing more, found \"b\""),
        (["check", ""], "expected SCHEMA, found an empty text"),

        (["serve", "---port"], "serve has no option ---port; did you mean --port?"),
        (["serve", "--port"], "--port needs a value"),
        (["serve", "--schema="], "--schema needs a value, found an empty one"),
        (["serve", "--port", "x"], "--port is an integer from 0 to 65535, not \"x\""),
        (["serve", "--port", "65536"], "--port is an integer from 0 to 65535, not \"65536\""),
        (
            ["serve", "--log-level", "debgu"],
            "--log-level is one of debug, info, warning, error, not \"debgu\"; did you mean debug?"
        ),
        (["serve", "--print-config=true"], "--print-config takes no value"),
        (["serve", "--explain-auth=maybe"], "--explain-auth is true or false, not \"maybe\""),
        (["health", "extra"], "expected nothing more, found \"extra\""),
        (["health", "--", "--port"], "expected nothing more, found \"--port\""),
        (["help", "serve", "more"], "expected nothing more, found \"more\""),
        (["completion"], "expected SHELL: bash, zsh, fish"),
        (["completion", "tcsh"], "SHELL is one of bash, zsh, fish, not \"tcsh\""),
        (["token"], "expected --username"),
        (["health", "--timeout", "0"], "--timeout is an integer from 1 to 3600, not \"0\""),
    ]

    @Test("what makes no sense is a usage error that says what was meant", arguments: bad)
    func refuses(arguments: [String], message: String) {
        let outcome = run(arguments)
        #expect(outcome.code == .usage)
        #expect(outcome.code.rawValue == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.diagnostics.hasPrefix("homeport: \(message)"), "\(outcome.diagnostics)")
        #expect(outcome.diagnostics.contains("\nTry `homeport help"))
    }
}
