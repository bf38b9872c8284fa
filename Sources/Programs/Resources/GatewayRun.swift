import Blueprint
import Project
import Script

/// What a run of a project's programs finds out about APIs over HTTP that it makes of the CDK's parts: `RestApi`, `LambdaRestApi` and
/// `HttpApi`, the functions behind their paths, and who may call them.
///
/// Who may call what cannot be read is nobody.
final class GatewayRun {
    /// An API.
    private struct API {
        let name: String
        let isHTTP: Bool
        /// What holds where a path says nothing: of an `HttpApi`.
        var integration: ProgramValue = .undefined
        var authorizer: ProgramValue = .undefined
        var scopes: [String] = []
    }

    /// A place in the tree of paths of a `RestApi`.
    private struct Node {
        let api: Int
        let path: String
        let integration: ProgramValue
        let options: ProgramValue
    }

    /// What a path is called by, before it is known which roles have rights.
    private enum Caller {
        case known(HTTPPath.Caller)
        case signer
    }

    private struct Call {
        var path: HTTPPath
        let function: Int
        let isForSigners: Bool
    }

    private var apis: [API] = []
    private var nodes: [Node] = []
    private var calls: [Call] = []
    /// What stands for the addresses of APIs.
    private var addresses: [(object: OpaqueObject, api: String, path: String)] = []
    private var grants = GatewayGrants()

    private static let apisMax = 100
    private static let nodesMax = 2_000
    private static let callsMax = 4_000

    func forgetObjects() {
        addresses = []
        grants.forgetObjects()
        for place in apis.indices { (apis[place].integration, apis[place].authorizer) = (.undefined, .undefined) }
        nodes = []
    }

    /// Returns whether `new X(...)` is an API.
    func takes(_ construct: NewConstruct) -> Bool {
        guard apis.count < Self.apisMax, let id = construct.id else { return false }
        let (made, options) = (construct.made, construct.arguments.count > 2 ? construct.arguments[2] : .undefined)
        switch construct.name {
        case "RestApi", "LambdaRestApi":
            let isWhole = construct.name == "LambdaRestApi"
            makeREST(made, Self.text(options, "restApiName") ?? id, options, isOfOneFunction: isWhole)
        case "HttpApi": makeHTTP(made, Self.text(options, "apiName") ?? id, options)
        default: return false
        }
        return true
    }

    /// The API whose address an object stands for, and what is below it.
    func address(_ object: OpaqueObject) -> (api: String, path: String)? {
        addresses.first { $0.object === object }.map { ($0.api, $0.path) }
    }

    /// What the functions are called by, when the program has come to its end.
    ///
    /// - Parameter given: what each role of the pool's identities is given.
    func settle(_ given: IdentityRoleGrants) -> [(path: HTTPPath, function: Int)] {
        calls.map { call in
            var path = call.path
            if call.isForSigners { path.caller = .roles(grants.roles(for: path, given)) }
            return (path, call.function)
        }
    }

    /// The name of calls in a statement of a policy, where a value is one of those that name calls.
    func policyResource(_ value: ProgramValue) -> FunctionVariable.Value? { grants.policyResource(value) }

    // MARK: RestApi

    private func makeREST(_ object: OpaqueObject, _ name: String, _ options: ProgramValue, isOfOneFunction: Bool) {
        let realm = object.realm
        let api = apis.count
        apis.append(API(name: name, isHTTP: false))
        var integration = Self.member(options, "defaultIntegration")
        if isOfOneFunction { integration = Self.member(options, "handler") }
        guard
            let root = node(
                Node(
                    api: api, path: "", integration: integration, options: Self.member(options, "defaultMethodOptions")),
                realm)
        else { return }
        object.put("root", .object(root.object))
        object.put("restApiName", realm.value(name))
        addAddresses(to: object, api, realm)
        guard isOfOneFunction, Self.member(options, "proxy").flag != false else { return }
        addMethod("ANY", .undefined, .undefined, at: root.place)
        addProxy(.undefined, at: root.place, realm)
    }

    /// What a program sees of a place; nil: there are too many.
    private func node(_ node: Node, _ realm: Realm) -> (object: OpaqueObject, place: Int)? {
        guard nodes.count < Self.nodesMax else { return nil }
        let place = nodes.count
        nodes.append(node)
        let object = OpaqueObject(realm, origin: "\(apis[node.api].name)\(node.path)")
        func method(_ name: String, _ body: @escaping @Sendable (GatewayRun, [ProgramValue], Realm) -> ProgramValue) {
            object.put(name, Self.method(name, realm, body))
        }
        method("addResource") { run, given, realm in
            guard case .text(let part)? = given.first else { return .undefined }
            return run.addResource(part.string, given.dropFirst().first ?? .undefined, at: place, realm)
        }
        method("resourceForPath") { run, given, realm in
            guard case .text(let path)? = given.first else { return .undefined }
            return run.addResource(
                path.string.split(separator: "/").joined(separator: "/"), .undefined, at: place, realm)
        }
        method("addProxy") { run, given, realm in run.addProxy(given.first ?? .undefined, at: place, realm) }
        method("addMethod") { run, given, realm in
            guard case .text(let name)? = given.first else { return .undefined }
            ConstructOptions.restMethod.check(given, of: "addMethod()", in: realm)
            run.addMethod(
                name.string, given.dropFirst().first ?? .undefined, given.dropFirst(2).first ?? .undefined, at: place)
            return .object(OpaqueObject(realm, origin: "addMethod()"))
        }
        return (object, place)
    }

    private func addResource(
        _ part: String, _ options: ProgramValue, at place: Int, _ realm: Realm
    ) -> ProgramValue {
        let above = nodes[place]
        let integration = Self.member(options, "defaultIntegration")
        let rules = Self.member(options, "defaultMethodOptions")
        let made = node(
            Node(
                api: above.api, path: "\(above.path)/\(part)",
                integration: integration.isUndefined ? above.integration : integration,
                options: rules.isUndefined ? above.options : rules), realm)
        return made.map { .object($0.object) } ?? .undefined
    }

    /// `resource.addProxy({ anyMethod, defaultIntegration })`
    @discardableResult
    private func addProxy(_ options: ProgramValue, at place: Int, _ realm: Realm) -> ProgramValue {
        let made = addResource("{proxy+}", options, at: place, realm)
        if Self.member(options, "anyMethod").flag != false, nodes.count > place + 1 {
            addMethod("ANY", .undefined, .undefined, at: nodes.count - 1)
        }
        return made
    }

    private func addMethod(_ name: String, _ integration: ProgramValue, _ options: ProgramValue, at place: Int) {
        let node = nodes[place]
        let wanted = integration.isUndefined ? node.integration : integration
        func member(_ name: String) -> ProgramValue {
            let own = Self.member(options, name)
            return own.isUndefined ? Self.member(node.options, name) : own
        }
        let authorizer = member("authorizer")
        let scopes = Self.scopes(member("authorizationScopes"))
        var caller: Caller =
            switch Self.lastName(member("authorizationType")) {
            case "IAM": .signer
            case "COGNITO": Self.users(authorizer, scopes)
            case "CUSTOM": .known(.roles([:]))
            case "NONE": .known(.anyone)
            // What stands there may be anything.
            case .some: .known(.roles([:]))
            case nil: authorizer.isUndefined ? .known(.anyone) : Self.users(authorizer, scopes)
            }
        // Keys of usage plans are not served, so nobody has one.
        if member("apiKeyRequired").flag ?? !member("apiKeyRequired").isNullish { caller = .known(.roles([:])) }
        add(apis[node.api], node.path.isEmpty ? "/" : node.path, name, wanted, caller)
    }

    // MARK: HttpApi

    private func makeHTTP(_ object: OpaqueObject, _ name: String, _ options: ProgramValue) {
        let realm = object.realm
        let api = apis.count
        apis.append(
            API(
                name: name, isHTTP: true, integration: Self.member(options, "defaultIntegration"),
                authorizer: Self.member(options, "defaultAuthorizer"),
                scopes: Self.scopes(Self.member(options, "defaultAuthorizationScopes"))))
        object.put("httpApiName", realm.value(name))
        addAddresses(to: object, api, realm)
        object.put(
            "addRoutes",
            Self.method("addRoutes", realm) { run, given, realm in
                ConstructOptions.routes.check(given, of: "addRoutes()", in: realm)
                let count = max(1, run.addRoutes(given.first ?? .undefined, to: api))
                let routes = (0..<count).map { ProgramValue.object(OpaqueObject(realm, origin: "addRoutes()[\($0)]")) }
                return .object(realm.array(ContiguousArray(routes)))
            })
        if !apis[api].integration.isUndefined {
            let caller = caller(apis[api].authorizer, apis[api].scopes)
            for path in ["/{proxy+}", "/"] { add(apis[api], path, "ANY", apis[api].integration, caller) }
        }
    }

    /// `api.addRoutes({ path, methods, integration, authorizer })`
    /// - Returns: how many routes these are.
    private func addRoutes(_ options: ProgramValue, to place: Int) -> Int {
        guard let path = Self.text(options, "path") else { return 0 }
        let api = apis[place]
        let own = Self.member(options, "authorizer")
        let scopes = Self.member(options, "authorizationScopes")
        let caller = caller(
            own.isUndefined ? api.authorizer : own, scopes.isUndefined ? api.scopes : Self.scopes(scopes))
        let methods = Self.member(options, "methods").elements.compactMap(Self.lastName)
        for method in methods.isEmpty ? ["ANY"] : methods {
            add(api, path, method, Self.member(options, "integration"), caller)
        }
        return methods.count
    }

    private func caller(_ authorizer: ProgramValue, _ scopes: [String]) -> Caller {
        switch Self.lastName(authorizer) {
        case nil where authorizer.isUndefined: .known(.anyone)
        case "HttpNoneAuthorizer()": .known(.anyone)
        case "HttpIamAuthorizer()": .signer
        default: Self.users(authorizer, scopes)
        }
    }

    // MARK: Both

    private static let userAuthorizers = [
        "CognitoUserPoolsAuthorizer()", "HttpUserPoolAuthorizer()", "HttpJwtAuthorizer()",
    ]

    /// Users of the pool; nobody where something else would have to say who they are.
    private static func users(_ authorizer: ProgramValue, _ scopes: [String]) -> Caller {
        guard let name = lastName(authorizer), userAuthorizers.contains(name) else { return .known(.roles([:])) }
        return .known(.user(scopes: scopes))
    }

    private func add(_ api: API, _ path: String, _ method: String, _ integration: ProgramValue, _ caller: Caller) {
        guard calls.count < Self.callsMax, case .object(let object) = integration,
            let run = try? ProgramRun.of(object.realm), let signIn = run.signIn
        else { return }
        guard let target = signIn.functions.integration(integration) else {
            signIn.note("\(method) \(path) of \(api.name)", at: run.files.position(object.realm.callPlace))
            return
        }
        var path = HTTPPath(
            api: api.name, path: path.hasPrefix("/") ? path : "/\(path)", method: method == "ANY" ? nil : method,
            isVersion2: api.isHTTP && !target.isVersion1, caller: .roles([:]))
        if case .known(let known) = caller { path.caller = known }
        var isForSigners = false
        if case .signer = caller { isForSigners = true }
        calls.append(Call(path: path, function: target.place, isForSigners: isForSigners))
    }

    /// The addresses of an API as the CDK has them. `url` is that of a stage and ends with a slash, the endpoint of an `HttpApi` does
    /// not, and the paths of a `RestApi` begin with one.
    private func addAddresses(to object: OpaqueObject, _ api: Int, _ realm: Realm) {
        let (name, isHTTP) = (apis[api].name, apis[api].isHTTP)
        for (member, path) in isHTTP ? [("url", "/"), ("apiEndpoint", "")] : [("url", "/")] {
            let address = OpaqueObject(realm, origin: "\(name).\(member)")
            addresses.append((address, name, path))
            object.put(member, .object(address))
        }
        addARN(to: object, of: name, realm)
        guard !isHTTP else { return }
        object.put(
            "urlForPath",
            Self.method("urlForPath", realm) { run, given, realm in
                guard run.addresses.count < GatewayRun.nodesMax else { return .undefined }
                var below = "/"
                if case .text(let path)? = given.first, !path.string.isEmpty { below = path.string }
                // A deployment refuses another beginning.
                if !below.utf8.starts(with: "/".utf8) { below = "/" + below }
                let address = OpaqueObject(realm, origin: "\(name).urlForPath()")
                run.addresses.append((address, name, below))
                return .object(address)
            })
    }

    private func addARN(to object: OpaqueObject, of name: String, _ realm: Realm) {
        object.put(
            "arnForExecuteApi",
            Self.method("arnForExecuteApi", realm) { run, given, realm in
                let text = { (place: Int) -> String? in
                    guard given.count > place, case .text(let text) = given[place] else { return nil }
                    return text.string
                }
                return .object(run.grants.resource(of: name, text(0), text(1), realm))
            })
    }

    private static func method(
        _ name: String, _ realm: Realm, _ body: @escaping @Sendable (GatewayRun, [ProgramValue], Realm) -> ProgramValue
    ) -> ProgramValue {
        .object(
            realm.function(name, length: 2) { call throws(Thrown) in
                guard let gateways = try ProgramRun.of(call.realm).signIn?.gateways else { return .undefined }
                return body(gateways, call.arguments, call.realm)
            })
    }

    // MARK: Values

    private static func member(_ value: ProgramValue, _ name: String) -> ProgramValue {
        value.plain?.value(name) ?? .undefined
    }

    private static func text(_ value: ProgramValue, _ name: String) -> String? {
        member(value, name).text
    }

    /// The scopes of a list. One that cannot be read is a scope that no token has.
    private static func scopes(_ value: ProgramValue) -> [String] {
        guard !value.isNullish else { return [] }
        guard case .object(let object) = value, object is ScriptArray else { return [""] }
        return value.elements.map { $0.text ?? "" }
    }

    /// The last word of where a value comes from: `IAM` of `AuthorizationType.IAM`, or the text that is written.
    private static func lastName(_ value: ProgramValue) -> String? {
        switch value {
        case .text(let text): text.string
        case .object(let object):
            (object as? OpaqueObject).map { opaque in
                let name = String(opaque.origin.split(separator: ".").last ?? "")
                return name.hasPrefix("new ") ? String(name.dropFirst(4)) : name
            }
        default: nil
        }
    }
}
