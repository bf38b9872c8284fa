import JSON

/// The parameters of a form as a tree: `A.B.1=x` is a text at the end of three names.
package final class CallForm {
    private(set) var text: String?
    private var places: [ByteText: Int] = [:]
    private(set) var children: [(name: ByteText, tree: CallForm)] = []

    init() {}

    /// - Parameters:
    ///   - max: how many parameters a form may have.
    ///   - nestingMax: how many parts the name of one may have.
    package init(
        _ parameters: [(name: String, value: String)], max: Int, nestingMax: Int
    ) throws(CloudError) {
        guard parameters.count <= max else {
            throw CloudError("MalformedInput", "A call has at most \(max) parameters.")
        }
        for (name, value) in parameters {
            let path = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard path.count <= nestingMax else {
                throw CloudError("MalformedInput", "The name of a parameter has at most \(nestingMax) parts.")
            }
            var tree = self
            for part in path { tree = tree.child(ByteText(Substring(part))) }
            tree.text = value
        }
    }

    private func child(_ name: ByteText) -> CallForm {
        if let place = places[name] { return children[place].tree }
        let child = CallForm()
        places[name] = children.count
        children.append((name, child))
        return child
    }

    func named(_ name: String) -> CallForm? { places[name].map { children[$0].tree } }

    /// Those with numbers, in their order.
    private var list: [CallForm] {
        children.compactMap { child in Int(child.name.string).map { ($0, child.tree) } }.sorted { $0.0 < $1.0 }
            .map(\.1)
    }

    // MARK: Without shapes

    /// The object that the parameters stand for where no shape says what they are: `A.B.member.1=x` is `{"A": {"B": ["x"]}}`.
    package var object: JSONObject { JSONObject(children.map { ($0.name.string, $0.tree.value) }) }

    private var value: JSONValue {
        guard !children.isEmpty else { return .string(text ?? "") }
        // A list is an object of its one kind of members, which are numbered.
        if children.count == 1, let child = children.first, child.name == "member" || child.name == "entry",
            let list = child.tree.numbered
        {
            return .array(list.map(\.value))
        }
        return .object(object)
    }

    /// The children in their order, where all of them are numbered.
    private var numbered: [CallForm]? {
        let areNumbers = children.allSatisfy { child in Int(child.name.string).map { $0 > 0 } ?? false }
        return areNumbers ? list : nil
    }

    // MARK: Shapes

    /// The members that the parameters stand for. Parameters that no member is called by are left out.
    func object(of members: [MemberShape.Member]) -> JSONObject {
        var object = JSONObject()
        for member in members {
            if let tree = named(member.form?.name ?? member.name) {
                object.set(member.name, to: tree.value(of: member.shape, member.form))
            } else if member.form != nil, let tree = named(member.name), tree.text?.isEmpty == true {
                // A list without elements has its own name, and no number.
                object.set(member.name, to: .array([]))
            }
        }
        return object
    }

    private func value(of shape: MemberShape, _ form: MemberShape.FormName?) -> JSONValue {
        switch shape {
        case .list(let element, _, _): return .array(list.map { $0.value(of: element, nil) })
        case .texts: return map(of: .text(0...Int.max), form)
        case .map(let element, _, _): return map(of: element, form)
        case .object(let members): return .object(object(of: members))
        case .integer: return text.flatMap { Int64($0) }.map(JSONValue.integer) ?? plain
        case .number: return text.flatMap { Double($0) }.map(JSONValue.double) ?? plain
        case .boolean:
            switch text {
            case "true": return true
            case "false": return false
            default: return plain
            }
        case .text, .choice, .bytes, .anything: return plain
        }
    }

    /// The text of the tree where its shape wants a value; without one an empty object, which the shape refuses.
    private var plain: JSONValue { text.map(JSONValue.string) ?? .object(JSONObject()) }

    private func map(of element: MemberShape, _ form: MemberShape.FormName?) -> JSONValue {
        var values = JSONObject()
        for entry in list {
            guard let key = entry.named(form?.key ?? "Name")?.text, let value = entry.named("Value") else { continue }
            values.set(key, to: value.value(of: element, nil))
        }
        return .object(values)
    }
}
