import Blueprint
import JSON

/// A template of CloudFormation, as far as values in it can be known without deploying it: its parameters, its conditions, and the
/// functions that put texts together.
struct StackTemplate {
    private let root: JSONValue
    private let parameters: JSONObject
    /// What Amplify puts behind the names of what it makes.
    private let environment: String

    private static let depthMax = 32
    static let noEnvironment = "NONE"

    /// - Parameter parameters: what the project's files set; for the others their defaults hold.
    init(_ root: JSONValue, parameters: JSONObject, environment: String) {
        self.root = root
        self.parameters = parameters
        self.environment = environment
    }

    /// The resources of a type, in the order of the template.
    func resources(_ type: String) -> [(name: String, properties: JSONValue)] {
        (root["Resources"]?.object?.members ?? []).compactMap { member in
            member.value["Type"]?.string == type ? (member.key, member.value["Properties"] ?? .null) : nil
        }
    }

    /// What a value in the template comes to.
    func value(_ written: JSONValue?) -> FunctionVariable.Value { value(written ?? .null, depth: 0) }

    /// The same where it is a text that can be known.
    func text(_ written: JSONValue?) -> String? { if case .text(let text) = value(written) { text } else { nil } }

    func integer(_ written: JSONValue?) -> Int? { text(written).flatMap { Int($0) } }

    private func value(_ written: JSONValue, depth: Int) -> FunctionVariable.Value {
        guard depth < Self.depthMax else { return .missing }
        switch written {
        case .string(let text): return .text(text)
        case .bool(let flag): return .text(flag ? "true" : "false")
        case .integer(let number): return .text("\(number)")
        case .null: return .missing
        case .object(let object):
            guard let call = object.members.first, object.members.count == 1 else { return .missing }
            return value(of: call.key, call.value, depth: depth + 1)
        default: return .text(JSONWriter.text(of: written))
        }
    }

    private func value(of function: String, _ argument: JSONValue, depth: Int) -> FunctionVariable.Value {
        let list = argument.array ?? []
        switch function {
        case "Ref": return argument.string.map { reference($0, depth: depth) } ?? .missing
        case "Fn::Join":
            guard let separator = list.first?.string, let parts = list.dropFirst().first?.array else { return .missing }
            var all: [FunctionVariable.Value] = []
            for part in parts {
                if !all.isEmpty, !separator.isEmpty { all.append(.text(separator)) }
                all.append(value(part, depth: depth))
            }
            return Self.joined(all)
        case "Fn::Sub": return substituted(argument, depth: depth)
        case "Fn::If":
            guard let name = list.first?.string, list.count == 3 else { return .missing }
            return value(holds(name, depth: depth) ? list[1] : list[2], depth: depth)
        case "Fn::GetAtt":
            let parts =
                list.isEmpty
                ? (argument.string ?? "").split(separator: ".").map(String.init) : list.compactMap(\.string)
            guard let resource = parts.first else { return .missing }
            // `Outputs.UserPoolId` of a nested stack is the parameter of that name here.
            let attribute = parts.dropFirst().joined(separator: ".")
            let output =
                attribute.hasPrefix("Outputs.") ? String(attribute.dropFirst("Outputs.".utf8.count)) : ".\(attribute)"
            return .deployed(resource + output)
        case "Fn::ImportValue":
            if let table = Self.importedTable(argument) { return .deployed(table) }
            return .deployed("an imported value")
        case "Fn::Select":
            let number = list.first.flatMap { integer($0) } ?? 0
            guard let parts = list.dropFirst().first.flatMap({ texts($0, depth: depth) }),
                parts.indices.contains(number)
            else {
                return .missing
            }
            return .text(parts[number])
        default: return .missing
        }
    }

    private func texts(_ written: JSONValue, depth: Int) -> [String]? {
        if let list = written.array { return list.compactMap { text($0) } }
        guard let split = written["Fn::Split"]?.array, let separator = split.first?.string, !separator.isEmpty,
            case .text(let text)? = split.dropFirst().first.map({ value($0, depth: depth + 1) })
        else { return nil }
        return text.components(between: separator)
    }

    /// `{"Fn::Sub": "${api}:GetAtt:TodoTable:Name"}` is the name of the table of a model.
    private static func importedTable(_ argument: JSONValue) -> String? {
        guard let text = argument["Fn::Sub"]?.string ?? argument.string else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count >= 3, parts[parts.count - 3] == "GetAtt", parts[parts.count - 2].hasSuffix("Table") else {
            return nil
        }
        let model = parts[parts.count - 2].dropLast("Table".count)
        return switch parts[parts.count - 1] {
        case "Name": "\(model)Table.tableName"
        case "StreamArn": "\(model)Table.tableStreamArn"
        default: nil
        }
    }

    private func reference(_ name: String, depth: Int) -> FunctionVariable.Value {
        if name == "env" { return .text(environment) }
        if name == "AWS::NoValue" { return .missing }
        if name.hasPrefix("AWS::") { return .deployed(name) }
        if let set = parameters[name] { return value(set, depth: depth) }
        let declared = root["Parameters"]?[name]
        // What comes of other resources has its own name as the default.
        if let standard = declared?["Default"], standard.string != name { return value(standard, depth: depth) }
        return .deployed(name)
    }

    private func substituted(_ argument: JSONValue, depth: Int) -> FunctionVariable.Value {
        let list = argument.array ?? []
        guard let text = argument.string ?? list.first?.string else { return .missing }
        let own = list.dropFirst().first?.object ?? JSONObject()
        var all: [FunctionVariable.Value] = []
        var rest = Substring(text)
        while let start = rest.range(ofBytesOf: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            all.append(.text(String(rest[..<start.lowerBound])))
            let name = String(rest[start.upperBound..<end])
            if name.hasPrefix("!") {
                all.append(.text("${\(name.dropFirst())}"))
            } else if let set = own[name] {
                all.append(value(set, depth: depth))
            } else if name.contains(".") {
                all.append(value(of: "Fn::GetAtt", .string(name), depth: depth))
            } else {
                all.append(reference(name, depth: depth))
            }
            rest = rest[rest.index(after: end)...]
        }
        return Self.joined(all + [.text(String(rest))])
    }

    /// Texts that stand beside each other are one.
    private static func joined(_ parts: [FunctionVariable.Value]) -> FunctionVariable.Value {
        var all: [FunctionVariable.Value] = []
        for part in parts {
            if case .text(let text) = part {
                if case .text(let before)? = all.last {
                    all[all.count - 1] = .text(before + text)
                } else {
                    all.append(part)
                }
            } else {
                all.append(part)
            }
        }
        let said = all.filter { $0 != .text("") }
        return said.count == 1 ? said[0] : said.isEmpty ? .text("") : .joined(said)
    }

    // MARK: Conditions

    private func holds(_ name: String, depth: Int) -> Bool {
        root["Conditions"]?[name].map { holds(condition: $0, depth: depth) } ?? false
    }

    private func holds(condition: JSONValue, depth: Int) -> Bool {
        guard depth < Self.depthMax, let call = condition.object?.members.first else { return false }
        let list = call.value.array ?? []
        return switch call.key {
        case "Fn::Equals": list.count == 2 && value(list[0], depth: depth + 1) == value(list[1], depth: depth + 1)
        case "Fn::Not": list.first.map { !holds(condition: $0, depth: depth + 1) } ?? false
        case "Fn::And": list.allSatisfy { holds(condition: $0, depth: depth + 1) }
        case "Fn::Or": list.contains { holds(condition: $0, depth: depth + 1) }
        case "Condition": call.value.string.map { holds($0, depth: depth + 1) } ?? false
        default: false
        }
    }
}

extension String {
    /// What stands between the separators.
    fileprivate func components(between separator: String) -> [String] {
        var parts: [String] = []
        var rest = Substring(self)
        while let place = rest.range(ofBytesOf: separator) {
            parts.append(String(rest[..<place.lowerBound]))
            rest = rest[place.upperBound...]
        }
        return parts + [String(rest)]
    }
}
