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
            guard tree.text == nil else { throw CloudError("MalformedInput", "A parameter is given twice.") }
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

    /// The elements of a list or the pairs of a map: numbered by themselves, or below a name of their own.
    private func elements(_ isFlat: Bool) -> [CallForm] {
        isFlat ? list : (named("member") ?? named("entry"))?.list ?? []
    }

    /// The members that the parameters stand for. Parameters that no member is called by are left out.
    ///
    /// - Parameter isFlat: whether elements are numbered by themselves: `A.1=x` in the place of `A.member.1=x`.
    func object(of members: [MemberShape.Member], isFlat: Bool) -> JSONObject {
        var object = JSONObject()
        for member in members {
            if let tree = named(member.form?.name ?? member.name) {
                object.set(member.name, to: tree.value(of: member.shape, member.form, isFlat))
            } else if member.form != nil, let tree = named(member.name), tree.text?.isEmpty == true {
                // A list without elements has its own name, and no number.
                object.set(member.name, to: .array([]))
            }
        }
        return object
    }

    private func value(of shape: MemberShape, _ form: MemberShape.FormName?, _ isFlat: Bool) -> JSONValue {
        switch shape {
        case .list(let element, _, _):
            guard isFlat || isCollection else { return plain }
            return .array(elements(isFlat).map { $0.value(of: element, nil, isFlat) })
        case .texts: return map(of: .text(0...Int.max), form, isFlat)
        case .map(let element, _, _): return map(of: element, form, isFlat)
        case .object(let members): return .object(object(of: members, isFlat: isFlat))
        // SDKs write numbers without a sign.
        case .integer:
            return text.flatMap { $0.utf8.first == UInt8(ascii: "+") ? nil : Int64($0) }.map(JSONValue.integer) ?? plain
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

    /// True if the parameters may stand for a list or a map: they have parts, or an empty text.
    private var isCollection: Bool { !children.isEmpty || text?.isEmpty == true }

    /// The text of the tree where its shape wants a value; without one an empty object, which the shape refuses.
    private var plain: JSONValue { text.map(JSONValue.string) ?? .object(JSONObject()) }

    private func map(of element: MemberShape, _ form: MemberShape.FormName?, _ isFlat: Bool) -> JSONValue {
        guard isFlat || isCollection else { return plain }
        let (key, name) = (form?.key ?? (isFlat ? "Name" : "key"), form?.value ?? (isFlat ? "Value" : "value"))
        var values = JSONObject()
        for entry in elements(isFlat) {
            guard let key = entry.named(key)?.text, let value = entry.named(name) else { continue }
            values.set(key, to: value.value(of: element, nil, isFlat))
        }
        return .object(values)
    }
}
