/// A topic of a project, as `new Topic(...)` says it, with the functions that follow it.
package struct TopicResource: Sendable, Equatable {
    package let name: String
    /// By the names that they are called by.
    package var functions: [String] = []

    private static let lettersMax = 256

    package init(_ name: String) { self.name = name }

    /// A name of what the project calls it.
    static func name(_ text: String) -> String {
        let letters = text.utf8.prefix(lettersMax).map { byte -> UInt8 in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): byte
            default: UInt8(ascii: "-")
            }
        }
        return letters.isEmpty ? "Topic" : String(decoding: letters, as: UTF8.self)
    }
}
