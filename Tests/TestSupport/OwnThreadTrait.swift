import Testing

/// Runs each test on a thread of its own. The threads that all tasks share are few, and a test that waits for a socket
/// on one of them would make the time limits of the others run out.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    @concurrent
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        // The suite itself is nothing that runs.
        guard testCase != nil else { return try await function() }
        try await onThreadOfItsOwn(function)
    }
}

extension Trait where Self == OwnThreadTrait {
    package static var onItsOwnThread: Self { Self() }
}
