import JSON

/// The parameters of a form as the object that they stand for: `A.B.member.1=x` is `{"A": {"B": ["x"]}}`.
enum FormTree {
    package static func object(of parameters: [(name: String, value: String)]) throws(OutboxError) -> JSONObject {
        guard parameters.count <= OutboxLimits.parametersMax else {
            throw OutboxError("MalformedInput", "A call has at most \(OutboxLimits.parametersMax) parameters.")
        }
        let root = Node()
        for (name, value) in parameters {
            let path = name.parts(at: ".", keepingEmpty: true)
            guard path.count <= OutboxLimits.nestingMax else {
                throw OutboxError(
                    "MalformedInput", "The name of a parameter has at most \(OutboxLimits.nestingMax) parts.")
            }
            var node = root
            for part in path { node = node.child(ByteText(part)) }
            node.text = value
        }
        return root.value.object ?? JSONObject()
    }

    private final class Node {
        var text: String?
        private var children: [ByteText: Node] = [:]
        private var order: [ByteText] = []

        func child(_ name: ByteText) -> Node {
            if let child = children[name] { return child }
            let child = Node()
            children[name] = child
            order.append(name)
            return child
        }

        var value: JSONValue {
            guard !children.isEmpty else { return .string(text ?? "") }
            // A list is an object of its one kind of members, which are numbered.
            for word: ByteText in ["member", "entry"] where children.count == 1 {
                if let list = children[word]?.list { return .array(list) }
            }
            return .object(
                JSONObject(order.compactMap { name in children[name].map { (name.string, $0.value) } }))
        }

        private var list: [JSONValue]? {
            var items: [(number: Int, node: Node)] = []
            for (name, node) in children {
                guard let number = Int(name.string), number > 0 else { return nil }
                items.append((number, node))
            }
            return items.sorted { $0.number < $1.number }.map(\.node.value)
        }
    }
}
