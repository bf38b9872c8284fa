import JSON

/// The variables that the states of a definition name, as `DescribeStateMachine` lists them: by states, in the order of the alphabet.
///
///     {"Greet": ["name", "place"]}
enum FlowReferences {
    /// Nil: no state names a variable.
    ///
    /// - Parameter text: a definition that has been read before: it is nested no deeper than it may be.
    static func found(in text: String) -> JSONValue? {
        let limits = JSONLimits(
            bytesMax: WorkflowLimits.definitionBytesMax, nestingMax: WorkflowLimits.definitionNestingMax)
        guard let value = try? JSONReader.value(of: Array(text.utf8), limits: limits) else { return nil }
        var all: [ByteText: Set<ByteText>] = [:]
        collect(value, usual: language(of: value) ?? .path, &all)
        guard !all.isEmpty else { return nil }
        return .object(
            JSONObject(
                all.sorted { $0.key < $1.key }.map { state, names in
                    (state.string, .array(names.sorted().map { .string($0.string) }))
                }))
    }

    /// The fields of a state that have states of their own.
    private static let scopes: Set<ByteText> = ["ItemProcessor", "Iterator", "Branches"]

    private static func language(of value: JSONValue) -> FlowLanguage? {
        value["QueryLanguage"]?.string.flatMap { FlowLanguage(rawValue: $0) }
    }

    private static func collect(
        _ definition: JSONValue, usual: FlowLanguage, _ all: inout [ByteText: Set<ByteText>]
    ) {
        for state in definition["States"]?.object?.members ?? [] {
            let language = language(of: state.value) ?? usual
            var names: Set<ByteText> = []
            for member in state.value.object?.members ?? [] {
                guard scopes.contains(ByteText(member.key)) else {
                    look(member.value, in: member.key, language, &names)
                    continue
                }
                for inner in member.value.array ?? [member.value] { collect(inner, usual: usual, &all) }
            }
            if !names.isEmpty { all[ByteText(state.key), default: []].formUnion(names) }
        }
    }

    private static func look(
        _ value: JSONValue, in field: String, _ language: FlowLanguage, _ names: inout Set<ByteText>
    ) {
        switch value {
        case .array(let list): for element in list { look(element, in: field, language, &names) }
        case .object(let object):
            for member in object.members { look(member.value, in: member.key, language, &names) }
        case .string(let text):
            if language == .query {
                guard let source = FlowQueryText.source(of: text) else { return }
                scan(Array(source.utf8), quotes: Array("'\"`".utf8), &names)
            } else if field.hasSuffix(".$") || field.hasSuffix("Path") || field == "Variable" {
                scan(Array(text.utf8), quotes: Array("'".utf8), &names)
            }
        default: break
        }
    }

    /// Finds `$name` outside of quotes. A call of a function, a name that an expression binds itself, and `$states` are none.
    private static func scan(_ bytes: [UInt8], quotes: [UInt8], _ names: inout Set<ByteText>) {
        var place = 0
        var (found, bound): (Set<ByteText>, Set<ByteText>) = ([], ["states"])
        func isLetter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_") || byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
        }
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if quotes.contains(byte) {
                while place < bytes.count, bytes[place] != byte { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
                place += 1
            } else if byte == UInt8(ascii: "$") {
                let start = place
                while place < bytes.count, isLetter(bytes[place]) || place > start && (48...57).contains(bytes[place]) {
                    place += 1
                }
                guard place > start else {
                    // `$$` is the context.
                    if place < bytes.count, bytes[place] == UInt8(ascii: "$") { place += 1 }
                    continue
                }
                var next = place
                while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
                let isCall = next < bytes.count && bytes[next] == UInt8(ascii: "(")
                let isBound = bytes.dropFirst(next).starts(with: ":=".utf8)
                let name = ByteText(String(decoding: bytes[start..<place], as: UTF8.self))
                if isBound { bound.insert(name) } else if !isCall { found.insert(name) }
            }
        }
        names.formUnion(found.subtracting(bound))
    }
}
