import Foundation

/// A Homeport server for tests, and worlds of it. It starts the program; no part of the server is in this library.
///
///     let server = try await HomeportServer.start(schema: "schema.graphql")
///     try await server.withWorld { world in
///         _ = try await world.graphql("mutation { createTodo(input: {name: \"a\"}) { id } }")
///     }
///
/// The server ends when `stop` is called, and when this process ends, however that ends.
public final class HomeportServer: Sendable {
    /// Where it is. Tests share what is in it.
    public let backend: Backend
    private let running: Running

    private init(_ backend: Backend, _ running: Running) {
        self.backend = backend
        self.running = running
    }

    /// Starts a server on a free port, with an empty database in memory.
    ///
    /// - Parameters:
    ///   - schema: a file or a folder of them; nil: the project of the folder.
    ///   - folder: where it is run; nil: here.
    ///   - arguments: more options of `homeport exec`.
    ///   - program: nil: what HOMEPORT_PROGRAM names, or `homeport` on the path.
    public static func start(
        schema: String? = nil, in folder: String? = nil, arguments: [String] = [], program: String? = nil
    ) async throws -> HomeportServer {
        let words = ["exec", "--stdio"] + (schema.map { ["--schema", $0] } ?? []) + arguments
        let named = program ?? ProcessInfo.processInfo.environment["HOMEPORT_PROGRAM"]
        let running = try Running(named, words, in: folder)
        let description: Data = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try running.greeting() }) }
        }
        return HomeportServer(try Backend(description), running)
    }

    /// A world with a copy of the present state, or of a snapshot. End it with `end`.
    public func world(snapshot: String? = nil) async throws -> Backend {
        let wish: [String: Any] = snapshot.map { ["from": ["snapshot": $0]] } ?? [:]
        return try Backend(
            try await backend.control("POST", "worlds", try JSONSerialization.data(withJSONObject: wish)))
    }

    /// Ends a world, with all that it has.
    public func end(_ world: Backend) async throws {
        guard let name = world.name else { throw HomeportError("this is no world") }
        try await backend.control("DELETE", "worlds/\(name)")
    }

    /// Runs a test in a world of its own.
    public func withWorld<Value: Sendable>(
        snapshot: String? = nil, _ body: @Sendable (Backend) async throws -> Value
    ) async throws -> Value {
        let world = try await world(snapshot: snapshot)
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(world)) } catch { outcome = .failure(error) }
        try await end(world)
        return try outcome.get()
    }

    /// Ends the server, and waits until it has ended.
    public func stop() { running.stop() }

    deinit { running.stop() }
}

/// The process, with the pipe that it ends with.
private final class Running: @unchecked Sendable {
    // Safe to share: what changes is behind the lock.
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let lock = NSLock()
    private var isStopped = false

    private static let greetingBytesMax = 8 << 20

    init(_ program: String?, _ words: [String], in folder: String?) throws {
        process.executableURL = URL(fileURLWithPath: program ?? "/usr/bin/env")
        process.arguments = (program == nil ? ["homeport"] : []) + words
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// The line that says where the server is. Waits for it: the end of the process is an end too.
    func greeting() throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n"), line.count <= Self.greetingBytesMax {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else {
                process.waitUntilExit()
                throw HomeportError(
                    "homeport ended with \(process.terminationStatus) before it served: its output says why")
            }
            line += part
        }
        return line
    }

    func stop() {
        let isFirst = lock.withLock {
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
