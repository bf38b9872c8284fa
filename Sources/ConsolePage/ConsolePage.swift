/// The console's page as the program carries it: the files of `Sources/Console/Page`, packed while the program is built.
///
///     Sources/Console/Page/* ─▶ ConsolePagePacking ─▶ pack-console-page ─▶ Packed.swift, which has `files`
///
/// A plugin of the build names the files, a program of the build writes them as Swift, and nothing of that lies in the repository.
/// It is a room of its own so that an edit of the page compiles nothing else.
package enum ConsolePage {
    package struct File: Sendable {
        /// Its path in the folder of the page.
        package let name: String
        /// How many bytes it has there.
        package let count: Int
        /// Whether it is as gzip has it, as all are that this makes smaller.
        package let isCompressed: Bool
        /// The bytes in Base64: Swift's compiler has no quick way to take bytes but as a text. It takes a third more room.
        package let packed: StaticString
    }
}
