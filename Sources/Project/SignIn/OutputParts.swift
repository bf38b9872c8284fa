import Blueprint
import JSON

/// Parts of the file that clients load, put together as Amplify does: objects are merged, lists joined, and what is said twice is
/// refused, equal or not. What says nothing (`false`, `0`, `""`, `null`) gives way.
package struct OutputParts: Sendable, Equatable {
    package private(set) var value = JSONObject()

    /// Why a part does not go with the others.
    package enum Conflict: Error, Equatable {
        case exists(String)
        case version

        /// As Amplify says it of what a project adds.
        package var message: String {
            switch self {
            case .exists(let key): "Output entry with key \(key) already exists"
            case .version: "Conflicting versions of client configuration found."
            }
        }

        package var hint: String {
            switch self {
            case .exists: "Check if backend.addOutput is called with what was added before, or is there already."
            case .version: "The file is of version 1: leave out `version`, or write one that begins so."
            }
        }
    }

    private static let version = "version"

    package init(_ value: JSONObject = JSONObject()) {
        self.value = value
    }

    package mutating func add(_ part: JSONObject) throws(Conflict) {
        value = try Self.merged(value, part)
    }

    private static func merged(_ old: JSONObject, _ new: JSONObject) throws(Conflict) -> JSONObject {
        var whole = old
        for (key, value) in new.members.map({ ($0.key, $0.value) }) {
            whole[key] = if let known = old[key] { try merged(known, value, key) } else { value }
        }
        return whole
    }

    private static func merged(_ old: JSONValue, _ new: JSONValue, _ key: String) throws(Conflict) -> JSONValue {
        switch (old, new) {
        case (.array(let elements), .array(let others)): return .array(elements + others)
        case (.array(let elements), _): return .array(elements + [new])
        case (.object(let left), .object(let right)): return .object(try merged(left, right))
        case (.object, _): return new
        default: break
        }
        guard saysSomething(old) else { return new }
        guard key == version else { throw .exists(key) }
        guard let left = numbers(old), let right = numbers(new) else { return new }
        guard left.first == right.first else { throw .version }
        return right.lexicographicallyPrecedes(left) ? old : new
    }

    private static func saysSomething(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .bool(let flag): flag
        case .string(let text): !text.isEmpty
        case .integer(let number): number != 0
        case .double(let number): number != 0
        default: true
        }
    }

    /// The three numbers of a version: those that are not written are 0.
    private static func numbers(_ version: JSONValue) -> [Int]? {
        guard let text = version.string else { return nil }
        let parts = text.split(separator: ".", maxSplits: 2).map { Int($0) ?? 0 }
        guard let first = text.utf8.first, (0x30...0x39).contains(first) else { return nil }
        return parts + Array(repeating: 0, count: 3 - parts.count)
    }
}
