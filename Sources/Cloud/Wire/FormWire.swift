import JSON

/// The protocol of forms, beside JSON, for a service that has both: calls are forms, and answers XML.
package struct FormWire: Sendable {
    /// The namespace of answers.
    let namespace: String
    /// How many parameters a form may have, and how many parts the name of one.
    let parametersMax: Int
    let nestingMax: Int
    /// The member that the path stands for where a form has none.
    let pathMember: String?
    /// An answer with the names of its elements.
    let shown: @Sendable (_ answer: JSONObject, _ action: String) -> JSONObject

    package init(
        namespace: String, parametersMax: Int, nestingMax: Int, pathMember: String? = nil,
        shown: @escaping @Sendable (_ answer: JSONObject, _ action: String) -> JSONObject
    ) {
        (self.namespace, self.parametersMax, self.nestingMax) = (namespace, parametersMax, nestingMax)
        (self.pathMember, self.shown) = (pathMember, shown)
    }

    private static let action = "Action"
    private static let ownParameters = [action, "Version"]

    static func action(in parameters: [(name: String, value: String)]) -> String {
        parameters.first { $0.name == action }?.value ?? ""
    }

    /// The members of a call.
    package func object(
        of parameters: [(name: String, value: String)], _ members: [MemberShape.Member], path: String = "/"
    ) throws(CloudError) -> JSONObject {
        var parameters = parameters.filter { !Self.ownParameters.contains($0.name) }
        if let pathMember, path != "/", !parameters.contains(where: { $0.name == pathMember }) {
            parameters.append((pathMember, path))
        }
        return try CallForm(parameters, max: parametersMax, nestingMax: nestingMax).object(of: members)
    }
}
