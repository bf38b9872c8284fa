/// A password. It is in no text that is made of it.
package struct PostgresPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var description: String { "********" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
