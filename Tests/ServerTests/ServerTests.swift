// What the tests of this room share: files of their own, and the repository's documents.

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// Something that waits on a thread of its own: the pool of the tests' tasks must never be blocked.
final class Waiter<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Value) {
        BlockingThread.detach { [self] in
            let value = body()
            result.withLock { $0 = value }
            isDone.signal()
        }
    }

    /// What came of it.
    func value() throws -> Value {
        isDone.wait()
        return try #require(result.withLock { $0 })
    }
}

/// A file of the repository.
enum RepositoryFile {
    static func path(_ name: String, from file: String = #filePath) -> String {
        file.split(separator: "/").prefix { $0 != "Tests" }.map { "/" + $0 }.joined() + "/" + name
    }

    static func text(_ name: String) -> String? {
        guard let stream = fopen(path(name), "r") else { return nil }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Compares a document with the text that is generated for it, or writes it when HOMEPORT_UPDATE_DOCUMENTS is set.
    static func expect(_ name: String, toBe expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        if getenv("HOMEPORT_UPDATE_DOCUMENTS") != nil, let stream = fopen(path(name), "w") {
            fputs(expected, stream)
            fclose(stream)
        }
        #expect(
            text(name) == expected, "\(name) is not what the table says: run `make documents`",
            sourceLocation: sourceLocation)
    }
}
