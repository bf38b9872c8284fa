/// The fields that stand behind a chunked body. They are for who reads that body, and for nobody else: what was decided by the
/// head stays decided.
package struct HTTPTrailer: Sendable {
    /// Names are in lower case.
    package internal(set) var fields: [(name: String, value: String)] = []

    package init() {}

    /// The value of the first field of that name, which is written in lower case.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
