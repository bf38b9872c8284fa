import Foundation
import Server
import TestSupport
import Testing

/// The program with libraries in it that were there before its own, as tools that fake the time or watch memory use them.
@Suite("A library that is loaded first")
struct PreloadTests {
    static let libraries = [
        "sets a variable": "setenv(\"ADDED\", \"1\", 1);",
        "replaces all variables": "static char *none[] = {\"ADDED=1\", 0}; environ = none;",
        "removes all variables": "clearenv();",
    ]

    @Test(
        "may change the environment, and the program still finds its arguments",
        .enabled(if: PreloadedLibrary.isPossible))
    func argumentsAreFound() throws {
        for (name, statement) in Self.libraries {
            let library = try PreloadedLibrary(
                """
                #define _GNU_SOURCE
                #include <stdlib.h>
                #include <unistd.h>
                __attribute__((constructor)) static void change(void) { \(statement) }
                """)
            let (said, ending) = try ChildProcess.said(
                [HomeportProcess.program, "completion", "bash"],
                environment: ["PATH": "/usr/bin:/bin", "LD_PRELOAD": library.path])
            #expect(ending == .code(ExitCode.success.rawValue), "\(name)")
            #expect(said.contains("homeport"), "\(name)")
        }
    }
}
