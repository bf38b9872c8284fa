import JSON
import Network

/// The protocol of methods and paths, with objects in JSON: a row says where its operation is.
///
///     PUT /v2/email/templates/{TemplateName}
package struct CallPath: Sendable {
    let method: HTTPMethod
    private let parts: [ByteText]
    /// The members that come in fields of the head.
    let fields: [FieldMember]
    /// True if the body is the operation's own and has no members: those come in the query.
    let isBodyRaw: Bool

    package typealias FieldMember = (member: String, field: StaticString)

    package init(_ method: HTTPMethod, _ path: String, fields: [FieldMember] = [], isBodyRaw: Bool = false) {
        (self.method, self.fields, self.isBodyRaw) = (method, fields, isBodyRaw)
        parts = Self.parts(of: path).map { ByteText(Substring($0)) }
    }

    static func parts(of path: String) -> [Substring.UTF8View] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    }

    /// The members that a path has by its labels; nil: it is another path.
    ///
    /// - Parameter path: as it was sent, with its escapes.
    func labels(in path: [Substring.UTF8View]) -> [(name: String, value: String)]? {
        guard path.count == parts.count else { return nil }
        var labels: [(name: String, value: String)] = []
        for (part, given) in zip(parts, path) {
            let pattern = part.string.utf8
            if pattern.first == UInt8(ascii: "{") {
                labels.append((String(Substring(pattern.dropFirst().dropLast())), HTTPPercentCoding.decoded(given)))
            } else if !pattern.elementsEqual(given) {
                return nil
            }
        }
        return labels
    }

    /// True if members of its calls come in the query: the call has no body, or one without members.
    var hasQuery: Bool { isBodyRaw || method == .get || method == .delete }
}

/// A call that a method and a path name.
package struct PathCall: Sendable {
    /// The operation; of an unknown one the method and the path.
    package let operation: String
    let labels: [(name: String, value: String)]
    /// Nil: the members are in the body.
    let query: String?
    /// The members that come in fields of the head.
    var fields: [CallPath.FieldMember] = []
}

extension ServiceTable {
    /// The call that a method and a path mean; nil: the service has no such paths.
    package func call(_ method: HTTPMethod, _ text: String, _ path: String, query: String = "") -> PathCall? {
        guard isPath(path) else { return nil }
        if let (row, labels) = row(at: path, by: method), let place = row.path {
            return PathCall(
                operation: row.name, labels: labels, query: place.hasQuery ? query : nil, fields: place.fields)
        }
        return PathCall(operation: "\(text) \(path)", labels: [], query: nil)
    }

    private func row(
        at path: String, by method: HTTPMethod
    ) -> (row: CloudOperation, labels: [(name: String, value: String)])? {
        let parts = CallPath.parts(of: path)
        for row in placed where row.path?.method == method {
            if let labels = row.path?.labels(in: parts) { return (row, labels) }
        }
        return nil
    }

    /// Returns whether a path is among those of the service's protocol of paths.
    package func isPath(_ path: String) -> Bool {
        pathStarts.contains { path.utf8.starts(with: $0.utf8) }
    }

    /// Returns whether a request that is signed for the service may be one of its calls.
    package func takes(_ head: HTTPRequestHead) -> Bool {
        guard !pathStarts.isEmpty else { return true }
        return isPartial ? isAt(head) : isPath(head.encodedPath)
    }

    /// Returns whether a request that is signed for nobody is one of its calls, by its whole path.
    package func isAt(_ head: HTTPRequestHead) -> Bool {
        // Hot path: every request for a file comes by here.
        guard isPartial, isPath(head.encodedPath) else { return false }
        return row(at: head.encodedPath, by: head.method) != nil
    }

    /// The members of such a call.
    ///
    /// - Parameter fields: those of its head.
    package func members(
        of call: PathCall, _ body: [UInt8], fields: HTTPFields? = nil
    ) throws(CloudError) -> JSONObject {
        let shapes = operation(named: call.operation)?.members ?? []
        var members: JSONObject
        if let query = call.query {
            let parameters = HTTPPercentCoding.parameters(of: query, max: CloudLimits.queryParametersMax)
            members = try CallForm(parameters, max: CloudLimits.queryParametersMax, nestingMax: 1)
                .object(of: shapes, isFlat: true)
        } else {
            guard let object = self.members(of: body) else {
                throw words.unreadable("The body is no JSON object.")
            }
            members = object
        }
        for (name, value) in call.labels { members.set(name, to: .string(value)) }
        for (name, field) in call.fields {
            // A member that a head has is in no query.
            if let value = fields?[field] { members.set(name, to: .string(value)) } else { members.remove(name) }
        }
        return members
    }
}
