import Access
import JSON
import Project
import Testing

@testable import Server

@Suite("Paths of REST APIs")
struct RestPathTests {
    private static func principal(
        _ role: IAMPrincipal.Role, group: String? = nil
    ) -> IAMPrincipal {
        IAMPrincipal(role: role, accessKeyID: "k", isInGroupRole: group != nil, group: group)
    }

    @Test("users, guests and groups may do what is said of them, and nobody anything else")
    func rights() {
        let path = RestPath(
            api: "a", path: "/p", allowed: ["auth": [.read, .update], "guest": [.read], "Editors": [.create]])
        let rows: [(IAMPrincipal, [String])] = [
            (Self.principal(.authenticated), ["GET", "HEAD", "PUT", "PATCH"]),
            (Self.principal(.unauthenticated), ["GET", "HEAD"]),
            (Self.principal(.authenticated, group: "Editors"), ["POST"]),
            (Self.principal(.authenticated, group: "Others"), []),
            (Self.principal(.administrator), ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
        ]
        for (principal, methods) in rows {
            let found = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter { path.admits(principal, $0) }
            #expect(found == methods, "\(principal)")
        }
        #expect(RestPath(api: "a", path: "/p").admits(Self.principal(.unauthenticated), "DELETE"))
    }

    /// Which path of an API is meant, and by which name its rest goes.
    @Test(
        "of several paths the closest is meant: of a REST API by the path alone, of an HTTP API by the method too",
        arguments: [
            ("GET", "/items", "0", "0"), ("POST", "/items", "-", "6"), ("GET", "/items/7", "2", "2"),
            ("PUT", "/items/7", "-", "3"), ("GET", "/items/7/8", "3", "3"), ("GET", "/items/special", "4", "4"),
            ("DELETE", "/items/special", "-", "3"), ("GET", "/", "-", "-"), ("GET", "/below/x", "5", "5"),
            ("GET", "/below", "5", "5"), ("GET", "/x", "6", "6"),
        ])
    func closest(method: String, path: String, rest: String, http: String) {
        func table(_ event: RestPath.EventForm) -> GatewayTable {
            let rows: [(path: String, methods: [String], isExact: Bool)] = [
                ("/items", ["GET"], true), ("/unused", [], true), ("/items/{id}", ["GET"], true),
                ("/items/{proxy+}", [], true), ("/items/special", ["GET"], true), ("/below", [], false),
                ("/{all+}", [], true),
            ]
            var functions: [String: FunctionSetting] = [:]
            for (number, row) in rows.enumerated() {
                var path = RestPath(api: "a", path: row.path)
                (path.methods, path.isExact, path.event) = (row.methods, row.isExact, event)
                functions["\(number)", default: FunctionSetting()].rest = [path]
            }
            return GatewayTable(functions)
        }
        for (event, wanted) in [(RestPath.EventForm.version1, rest), (.version2, http)] {
            guard case .api(_, let target)? = table(event).place(of: "/rest/a\(path)", by: method) else {
                #expect(wanted == "-", "\(event)")
                continue
            }
            #expect(target.function == wanted, "\(event)")
        }
    }

    @Test("what a project of Gen 1 says is read in both of its forms")
    func version1() throws {
        let newer = try JSONReader.value(
            of:
                #"{"paths": {"/a": {"lambdaFunction": "f", "permissions": {"setting": "open"}}, "/b": {"lambdaFunction": "g", "permissions": {"setting": "protected", "auth": ["create", "read"], "guest": ["read"], "groups": {"G": ["delete"]}}}, "/c": {}}}"#
        )
        let paths = RestPath.paths(of: "api", newer)
        #expect(paths.map(\.function) == ["f", "g"])
        #expect(paths.first?.path.allowed == nil)
        #expect(paths.last?.path.allowed == ["auth": [.create, .read], "guest": [.read], "G": [.delete]])
        let older = try JSONReader.value(
            of:
                #"{"paths": [{"name": "/a", "lambdaFunction": "f", "privacy": {"open": true}}, {"name": "/b", "lambdaFunction": "f", "privacy": {"private": true, "auth": ["/POST", "/GET"]}}, {"name": "/c", "lambdaFunction": "f", "privacy": {"protected": true, "auth": "rw", "unauth": "r"}}]}"#
        )
        #expect(
            RestPath.paths(of: "api", older).map(\.path.allowed) == [
                nil, ["auth": [.create, .read], "guest": []],
                ["auth": Set(RestPath.Action.allCases), "guest": [.read]],
            ])
        for (path, _) in paths { #expect(RestPath(configured: path.configured) == path) }
        let groups = try JSONReader.value(
            of:
                #"{"paths": [{"name": "/a", "lambdaFunction": "f", "privacy": {"private": true, "userPoolGroups": {"Customers": ["/GET"], "Staff": ["/POST", "/DELETE"], "auth": ["/GET"]}}}]}"#
        )
        #expect(
            RestPath.paths(of: "api", groups).map(\.path.allowed) == [
                ["auth": [], "guest": [], "Customers": [.read], "Staff": [.create, .delete]]
            ])
    }

    @Test(
        "a path that does not say who may call it is nobody's, whatever it says instead",
        arguments: [
            #"{"paths": {"/a": {"lambdaFunction": "f"}}}"#,
            #"{"paths": {"/a": {"lambdaFunction": "f", "permission": {"setting": "open"}}}}"#,
            #"{"paths": {"/a": {"lambdaFunction": "f", "permissions": null}}}"#,
            #"{"paths": {"/a": {"lambdaFunction": "f", "permissions": {"settin": "open"}}}}"#,
            #"{"paths": [{"name": "/a", "lambdaFunction": "f"}]}"#,
            #"{"paths": [{"name": "/a", "lambdaFunction": "f", "privacyy": {"open": true}}]}"#,
        ])
    func unsaid(file: String) throws {
        let file = try JSONReader.value(of: file)
        let path = try #require(RestPath.paths(of: "api", file).first?.path)
        #expect(path.allowed?.values.allSatisfy(\.isEmpty) == true)
        let saysSomething = file["paths"]?.object?.members.first?.value["permissions"]?.object != nil
        #expect(RestPath.unsaidNames(in: file) == (saysSomething ? [] : ["/a"]))
    }

    private static func template(_ security: String) throws -> Version1RESTTemplate {
        Version1RESTTemplate(
            try JSONReader.value(
                of: Array(
                    """
                    {"Resources": {"Other": {"Type": "AWS::Lambda::Permission"}, "AdminQueries": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Body": {
                      "paths": {"/{proxy+}": {"options": {}, "x-amazon-apigateway-any-method": {"security": [\(security)],
                        "x-amazon-apigateway-integration": {"uri": {"Fn::Join": ["", ["arn:", {"Ref": "AWS::Region"}, {"Ref": "functionAdminQueries1aArn"}, "/invocations"]]}}}}},
                      "securityDefinitions": {"Cognito": {"x-amazon-apigateway-authtype": "cognito_user_pools"}, "sigv4": {"x-amazon-apigateway-authtype": "awsSigv4"}}}}}}}
                    """.utf8)))
    }

    @Test(
        "where the pool says who calls an API of Gen 1, its users show a token, with the scopes of the API's template",
        arguments: [
            (#"{"Cognito": ["a", "b"]}"#, true, ["a", "b"]), (#"{"Cognito": ["a"]}"#, false, ["a"]),
            (#"{"Cognito": []}"#, true, []), (#"{"sigv4": []}"#, false, nil),
            (#"{"sigv4": []}"#, true, ["aws.cognito.signin.user.admin"]),
            (#"{"elsewhere": ["a"]}"#, true, ["aws.cognito.signin.user.admin"]), ("", false, nil),
        ] as [(String, Bool, [String]?)])
    func poolOfVersion1(security: String, isForUsers: Bool, scopes: [String]?) throws {
        let inputs = try JSONReader.value(
            of:
                #"{"paths": {"/{proxy+}": {"lambdaFunction": "f", "permissions": {"setting": "private", "auth": ["read"]}}}}"#
        )
        for (file, function) in [(inputs, "f"), (.null, "AdminQueries1a")] {
            let paths = RestPath.paths(
                of: "api", file, template: try Self.template(security), isForUsers: isForUsers)
            #expect(paths.map(\.function) == [function])
            #expect(paths.first?.path.path == "/{proxy+}" && paths.first?.path.scopes == scopes)
            // Without a token to show, somebody signs: what cannot be read opens nothing.
            #expect(paths.first?.path.allowed == (file == .null ? [:] : ["auth": [.read]]))
            if let path = paths.first?.path { #expect(RestPath(configured: path.configured) == path) }
        }
        let none = RestPath.paths(of: "api", inputs, isForUsers: true)
        #expect(none.first?.path.scopes == ["aws.cognito.signin.user.admin"])
    }
}
