import JSON
import Network

/// The protocol of methods and paths, with objects in JSON: a row says where its operation is.
///
///     PUT /v2/email/templates/{TemplateName}
package struct CallPath: Sendable {
    let method: HTTPMethod
    private let parts: [ByteText]

    package init(_ method: HTTPMethod, _ path: String) {
        self.method = method
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

    /// True if members of its calls come in the query: the call has no body.
    var hasQuery: Bool { method == .get || method == .delete }
}

/// A call that a method and a path name.
package struct PathCall: Sendable {
    /// The operation; of an unknown one the method and the path.
    package let operation: String
    let labels: [(name: String, value: String)]
    /// Nil: the members are in the body.
    let query: String?
}

extension ServiceTable {
    /// The call that a method and a path mean; nil: the service has no such paths.
    package func call(_ method: HTTPMethod, _ text: String, _ path: String, query: String = "") -> PathCall? {
        guard isPath(path) else { return nil }
        let parts = CallPath.parts(of: path)
        for row in placed where row.path?.method == method {
            if let place = row.path, let labels = place.labels(in: parts) {
                return PathCall(operation: row.name, labels: labels, query: place.hasQuery ? query : nil)
            }
        }
        return PathCall(operation: "\(text) \(path)", labels: [], query: nil)
    }

    /// Returns whether a path is among those of the service's protocol of paths.
    package func isPath(_ path: String) -> Bool {
        guard let pathStart else { return false }
        return path.utf8.starts(with: pathStart.utf8)
    }

    /// Returns whether a request that is signed for the service may be one of its calls.
    package func takes(_ head: HTTPRequestHead) -> Bool { pathStart == nil || isPath(head.encodedPath) }

    /// The members of such a call.
    package func members(of call: PathCall, _ body: [UInt8]) throws(CloudError) -> JSONObject {
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
        return members
    }
}
