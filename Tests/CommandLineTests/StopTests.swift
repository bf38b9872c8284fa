import Foundation
import Server
import TestSupport
import Testing

/// A server that is told to stop while one of its threads does not come back. A library in it holds whoever makes a call
/// of the system, as a disk or a mistake might, as soon as a file is there.
@Suite("A stop that would never end", .enabled(if: PreloadedLibrary.isPossible))
struct StopTests {
    private static let environment = ["HOMEPORT_LIMITS_STOP_MILLISECONDS": "100"]

    /// Calls that a thread does not come back from: the writer's, a loop's, that of a start.
    private static let library = Result {
        try PreloadedLibrary(
            """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static void hold(const char *call) {
                char path[4096];
                const char *folder = getenv("HOLD");
                if (!folder) return;
                snprintf(path, sizeof path, "%s/hold-%s", folder, call);
                if (access(path, F_OK) != 0) return;
                strcat(path, "-held");
                close(open(path, O_CREAT | O_WRONLY, 0600));
                for (;;) pause();
            }
            int fsync(int file) { hold("sync"); return syscall(SYS_fsync, file); }
            int fdatasync(int file) { hold("sync"); return syscall(SYS_fdatasync, file); }
            int accept4(int socket, void *address, void *length, int flags) {
                hold("accept");
                return syscall(SYS_accept4, socket, address, length, flags);
            }
            int mkdir(const char *path, unsigned mode) {
                hold("mkdir");
                return syscall(SYS_mkdirat, AT_FDCWD, path, mode);
            }
            """)
    }

    private static func variables(_ folder: TemporaryFolder) throws -> [String: String] {
        environment.merging(["LD_PRELOAD": try library.get().path, "HOLD": folder.path]) { $1 }
    }

    /// Waits until a thread is held in the call.
    private static func waitUntilHeld(_ call: String, in folder: TemporaryFolder, line: Int = #line) throws {
        try folder.wait(for: "hold-\(call)-held", line: line)
    }

    @Test(
        "ends in time while the writer waits for the disk, and loses nothing that it acknowledged",
        .timeLimit(.minutes(10)))
    func writer() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(environment: try Self.variables(folder), in: folder)
        let kept = try server.answer(to: #"mutation { createTodo(input: {id: "kept", name: "n"}) { id } }"#)
        #expect(kept == #"{"data":{"createTodo":{"id":"kept"}}}"#)
        try folder.write("", to: "hold-sync")
        let client = try RawClient(port: server.port)
        let query = #"{"query":"mutation { createTodo(input: {name: \"lost\"}) { id } }"}"#
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nx-api-key: da2-fakeApiId123456\r\n"
                + "Content-Length: \(query.utf8.count)\r\n\r\n\(query)")
        try Self.waitUntilHeld("sync", in: folder)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.stopTookTooLong.rawValue)
        #expect(server.log.contains("the server did not stop in time"))
        #expect(server.log.contains(#"running="the database's writer""#), "\(server.log)")
        let again = try HomeportProcess(in: folder)
        #expect(try again.answer(to: "{ listTodos { items { id } } }").contains(#"{"id":"kept"}"#))
    }

    @Test("ends in time while an event loop does not come back", .timeLimit(.minutes(10)))
    func loop() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(environment: try Self.variables(folder), in: folder)
        try folder.write("", to: "hold-accept")
        let client = try RawClient(port: server.port)
        try Self.waitUntilHeld("accept", in: folder)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.stopTookTooLong.rawValue)
        #expect(server.log.contains(#"running="event loop "#), "\(server.log)")
        withExtendedLifetime(client) {}
    }

    @Test("ends in time while the start does not come back, and at once at a second signal", arguments: [false, true])
    func start(isAskedTwice: Bool) throws {
        let folder = TemporaryFolder()
        try folder.write("type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }", to: "schema.graphql")
        try folder.write("", to: "hold-mkdir")
        let errors = Pipe()
        let process = try ChildProcess(
            [HomeportProcess.program, "serve", "--port", "0"], environment: try Self.variables(folder),
            in: folder.path, output: .nothing, errors: .pipe(errors))
        try Self.waitUntilHeld("mkdir", in: folder)
        process.signal(SIGTERM)
        if isAskedTwice { process.signal(SIGINT) }
        let said = String(decoding: errors.fileHandleForReading.readWhole(), as: UTF8.self)
        let ending = process.wait()
        #expect(ending == .code(ending.status))
        // Two signals that wait together come in the order of their numbers.
        #expect(isAskedTwice ? ending.status > 128 : ending.status == 75, "\(said)")
        #expect(said.contains(#"running="the start""#) == !isAskedTwice, "\(said)")
    }
}
