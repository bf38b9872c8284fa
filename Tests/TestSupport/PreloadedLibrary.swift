import Foundation

/// A library that is loaded into a program before its own, made from a text in C: a way to what a program meets in the
/// world and no test can ask of a system.
package final class PreloadedLibrary: Sendable {
    package let path: String
    private let folder = TemporaryFolder()

    /// Whether there is a compiler. It comes with Swift.
    package static var isPossible: Bool { compiler != nil }

    package init(_ source: String) throws {
        path = folder.file("library.so")
        let file = try folder.write(source, to: "library.c")
        let ending = try ChildProcess([Self.compiler ?? "", "-shared", "-fPIC", "-o", path, file]).wait()
        guard ending == .code(0) else {
            throw TemporaryFolder.Failure(description: "the compiler ended with \(ending)")
        }
    }

    private static var compiler: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").flatMap { ["\($0)/clang", "\($0)/cc"] }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
