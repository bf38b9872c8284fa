import JSON
import Network

/// The parameters of a request's query, each of them once.
package struct FileQuery: Sendable {
    /// The names and values, in their order; a parameter without a value has an empty one.
    package let all: [(name: String, value: String)]

    package static let none = FileQuery(all: [])

    private init(all: [(name: String, value: String)]) {
        self.all = all
    }

    /// - Parameter plusIsSpace: how a plus is meant; who signs queries says so by what was signed.
    package init(_ query: String, plusIsSpace: Bool) throws(FileError) {
        guard !query.isEmpty else {
            self = .none
            return
        }
        let raw = RawQuery(query)
        guard raw.parameters.count <= FileLimits.parametersMax else {
            throw .invalidArgument("The query has more than \(FileLimits.parametersMax) parameters")
        }
        var all: [(name: String, value: String)] = []
        var names: Set<ByteText> = []
        for parameter in raw.parameters {
            guard let name = String(validating: parameter.name(plusIsSpace), as: UTF8.self),
                let value = String(validating: parameter.value(plusIsSpace), as: UTF8.self)
            else { throw .invalidArgument("The query is not UTF-8") }
            guard names.add(name) else { throw .invalidArgument("The query has '\(name)' more than once") }
            all.append((name, value))
        }
        self.all = all
    }

    /// The value of a parameter; nil where there is none of that name.
    package subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    package func contains(_ name: String) -> Bool { self[name] != nil }

    /// Those of the parameters of whose names that is true.
    func keeping(_ isKept: (String) -> Bool) -> FileQuery { FileQuery(all: all.filter { isKept($0.name) }) }
}

/// A query taken apart, with its escapes.
struct RawQuery {
    struct Parameter {
        let rawName: ArraySlice<UInt8>
        let rawValue: ArraySlice<UInt8>

        func name(_ plusIsSpace: Bool) -> [UInt8] { PercentCoding.decoded(rawName, plusIsSpace: plusIsSpace) }
        func value(_ plusIsSpace: Bool) -> [UInt8] { PercentCoding.decoded(rawValue, plusIsSpace: plusIsSpace) }
    }

    let parameters: [Parameter]
    /// True if there are two ways to read it.
    let hasPlus: Bool

    init(_ query: String) {
        guard !query.isEmpty else {
            (parameters, hasPlus) = ([], false)
            return
        }
        let bytes = Array(query.utf8)
        hasPlus = bytes.contains(UInt8(ascii: "+"))
        parameters = bytes.split(separator: UInt8(ascii: "&")).map { part in
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            return Parameter(rawName: part[..<equals], rawValue: part[equals...].dropFirst())
        }
    }

    /// The query as it is signed: names and values encoded once, sorted, those that are left out by their names.
    func canonical(plusIsSpace: Bool, without left: (ArraySlice<UInt8>) -> Bool) -> [UInt8] {
        guard !parameters.isEmpty else { return [] }
        var pairs: [(name: [UInt8], value: [UInt8])] = []
        for parameter in parameters where !left(parameter.rawName) {
            pairs.append(
                (
                    PercentCoding.encoded(parameter.name(plusIsSpace)),
                    PercentCoding.encoded(parameter.value(plusIsSpace))
                ))
        }
        pairs.sort { left, right in
            left.name == right.name
                ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
        }
        var text: [UInt8] = []
        for (number, pair) in pairs.enumerated() {
            if number > 0 { text.append(UInt8(ascii: "&")) }
            text += pair.name
            text.append(UInt8(ascii: "="))
            text += pair.value
        }
        return text
    }
}
