import JSON

/// The paths in the template of a Gen 1 project's REST API: the function that answers, and the users of the pool who may call.
///
///     {"Resources": {"AdminQueries": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Body": {
///       "paths": {"/{proxy+}": {"x-amazon-apigateway-any-method": {"security": [{"Cognito": ["SCOPE"]}], ...}}},
///       "securityDefinitions": {"Cognito": {"x-amazon-apigateway-authtype": "cognito_user_pools", ...}}}}}}}
package struct Version1RESTTemplate {
    struct Path {
        let name: String
        /// The project's name for the function; nil: it cannot be read.
        var function: String?
        /// The scopes that an access token needs one of; none: an ID token is wanted. Nil: the pool does not say who calls.
        var scopes: [String]?
    }

    private(set) var paths: [Path] = []

    private static let pathsMax = 1_000
    private static let depthMax = 16

    /// There is none.
    package init() {}

    package init(_ template: JSONValue) {
        for resource in template["Resources"]?.object?.members ?? [] {
            guard resource.value["Type"]?.string == "AWS::ApiGateway::RestApi",
                let body = resource.value["Properties"]?["Body"]
            else { continue }
            for path in (body["paths"]?.object?.members ?? []).prefix(Self.pathsMax) {
                paths.append(Self.path(path.key, path.value, body["securityDefinitions"] ?? .null))
            }
        }
    }

    func scopes(at path: String) -> [String]? { paths.first { ByteText($0.name) == ByteText(path) }?.scopes }

    /// Those of any path.
    var anyScopes: [String]? { paths.lazy.compactMap(\.scopes).first }

    private static func path(_ name: String, _ methods: JSONValue, _ definitions: JSONValue) -> Path {
        var path = Path(name: name)
        for method in methods.object?.members ?? [] where method.key != "options" {
            path.function = path.function ?? function(method.value["x-amazon-apigateway-integration"]?["uri"], depth: 0)
            for requirement in method.value["security"]?.array ?? [] {
                for (name, scopes) in (requirement.object?.members ?? []).map({ ($0.key, $0.value) }) {
                    let kind = definitions[name]?["x-amazon-apigateway-authtype"]?.string
                    guard kind == "cognito_user_pools" else { continue }
                    // A path is as closed as the most closed of its methods.
                    let wanted = (scopes.array ?? []).compactMap(\.string)
                    path.scopes = path.scopes.map { $0.isEmpty ? wanted : $0 } ?? wanted
                }
            }
        }
        return path
    }

    /// `{"Fn::Join": ["", [..., {"Ref": "functionEchoArn"}, "/invocations"]]}`
    private static func function(_ value: JSONValue?, depth: Int) -> String? {
        guard depth < depthMax, let value else { return nil }
        let (start, end) = ("function", "Arn")
        if let name = value["Ref"]?.string, name.hasPrefix(start), name.hasSuffix(end) {
            return String(name.dropFirst(start.utf8.count).dropLast(end.utf8.count))
        }
        let inner = value.array ?? value.object?.members.map(\.value) ?? []
        return inner.lazy.compactMap { function($0, depth: depth + 1) }.first
    }
}
