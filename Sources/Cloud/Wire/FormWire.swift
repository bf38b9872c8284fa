import JSON
import Network

/// The protocol of forms, alone or beside JSON: calls are forms, and answers XML.
package final class FormWire: Sendable {
    /// The namespace of answers.
    let namespace: String
    /// How many parameters a form may have, and how many parts the name of one.
    let parametersMax: Int
    let nestingMax: Int
    /// True if elements of lists are numbered by themselves, and repeated in answers without an element around them.
    let isFlat: Bool
    /// The member that the path stands for where a form has none.
    let pathMember: String?
    /// An answer with the names of its elements.
    let shown: @Sendable (_ answer: JSONObject, _ action: String) -> JSONObject

    package init(
        namespace: String, parametersMax: Int, nestingMax: Int, pathMember: String? = nil,
        shown: @escaping @Sendable (_ answer: JSONObject, _ action: String) -> JSONObject
    ) {
        (self.namespace, self.parametersMax, self.nestingMax) = (namespace, parametersMax, nestingMax)
        (self.pathMember, self.shown, isFlat) = (pathMember, shown, true)
    }

    /// A protocol whose lists have elements around them.
    ///
    /// - Parameter maps: the members of answers that are maps: `<entry><key>a</key><value>b</value></entry>`.
    package init(namespace: String, parametersMax: Int, nestingMax: Int, maps: [String] = []) {
        (self.namespace, self.parametersMax, self.nestingMax) = (namespace, parametersMax, nestingMax)
        (pathMember, isFlat) = (nil, false)
        shown = { answer, _ in
            JSONObject(
                answer.members.map { member -> (String, JSONValue) in
                    guard maps.contains(member.key), let pairs = member.value.object else {
                        return (member.key, member.value)
                    }
                    let entries = pairs.members.map { pair -> JSONValue in
                        ["key": .string(pair.key), "value": pair.value]
                    }
                    return (member.key, ["entry": .array(entries)])
                })
        }
    }

    func answer(_ identifier: RequestIdentifier?) -> QueryAnswer {
        QueryAnswer(namespace: namespace, identifier: identifier, hasFlatLists: isFlat)
    }

    private static let action = "Action"
    private static let ownParameters = [action, "Version"]

    func parameters(of text: String) -> [(name: String, value: String)] {
        HTTPPercentCoding.parameters(of: text, max: parametersMax + 1)
    }

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
        return try CallForm(parameters, max: parametersMax, nestingMax: nestingMax)
            .object(of: members, isFlat: isFlat)
    }
}
