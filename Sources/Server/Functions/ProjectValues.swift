import Access
import Blueprint
import Cloud
import Items
import JSON
import Project
import UserPool

/// What a deployment would make of a project, as far as this server has it: the names of its pools, buckets, tables and functions,
/// and where its API is. Functions get them as variables.
struct ProjectValues {
    let region: String
    let pool: PoolIdentifiers?
    /// The clients of apps, the one for web pages first.
    let clients: [AppClient]
    /// Where functions of this machine find the server.
    let endpoint: String
    let apiKey: String?
    let buckets: FilesSettings?
    let resources: Project
    /// The names of functions, by all that the project calls them.
    let functions: [String: String]
    let secrets: FunctionSecrets

    init(
        _ configuration: Configuration, _ resources: Project, _ pool: PoolIdentifiers?,
        _ buckets: FilesSettings?,
        endpoint: String, environment: [String: String]
    ) {
        self.resources = resources
        self.pool = pool
        self.buckets = buckets
        self.endpoint = endpoint
        region = pool?.region ?? configuration.signIn.region ?? PoolIdentifiers.usualRegion
        clients = pool.map { BuiltInPool.clients(of: configuration, $0) } ?? []
        apiKey = configuration.auth.apiKeys.first { $0.isCurrent(now: Timestamp.now.seconds) }?.key
        functions = configuration.functions.reduce(into: [:]) { names, function in
            for name in [function.key] + function.value.otherNames { names[name] = function.key }
        }
        secrets = FunctionSecrets(in: configuration.data, environment: environment)
    }

    static let accountID = IAMPrincipal.exampleAccountID
    /// The id of the API of channels.
    static let eventAPIID = "local-events"
    static let apiID = AuthorizerSettings(url: "").apiID

    /// Nothing of it is known, and why.
    enum Unknown: Error {
        case secret(String)
        case deployed(String)
        case missing
    }

    /// The text that a variable has.
    func text(of value: FunctionVariable.Value) throws(Unknown) -> String {
        switch value {
        case .text(let text): return text
        case .secret(let name):
            guard let secret = secrets[name] else { throw .secret(name) }
            return secret
        case .deployed(let origin):
            guard let text = text(ofOrigin: origin) else { throw .deployed(origin) }
            return text
        case .gateway(let api, let path): return GatewayTable.address(ofAPI: api, at: endpoint) + path
        case .joined(let parts):
            var text = ""
            for part in parts { text += try self.text(of: part) }
            return text
        case .missing: throw .missing
        }
    }

    /// The variables that Amplify gives to functions by itself.
    var usual: [String: String] {
        guard resources.isVersion2 else { return [:] }
        var variables: [String: String] = [:]
        if resources.hasAPI {
            let name = "amplifyData\(resources.dataName ?? "")"
            let start = VariableName.upper(name)
            variables["AMPLIFY_DATA_DEFAULT_NAME"] = name
            variables["\(start)_GRAPHQL_ENDPOINT"] = graphql
            variables["\(start)_MODEL_INTROSPECTION_SCHEMA_BUCKET_NAME"] = IntrospectionFile.bucket
            variables["\(start)_MODEL_INTROSPECTION_SCHEMA_KEY"] = IntrospectionFile.key
        }
        if resources.auth != nil { variables["AMPLIFY_AUTH_USERPOOL_ID"] = pool?.userPoolID }
        for bucket in buckets?.buckets ?? [] {
            variables["\(VariableName.upper(bucket.name))_BUCKET_NAME"] = bucket.bucketName
        }
        return variables
    }

    private var graphql: String { endpoint + Route.graphql.path }

    // MARK: What a program or a template says

    private func text(ofOrigin origin: String) -> String? {
        if let text = text(ofParameter: origin) { return text }
        if let text = text(ofQueue: origin) { return text }
        if let text = text(ofStateMachine: origin) { return text }
        if let text = text(ofStream: origin) { return text }
        if origin.hasPrefix(FunctionVariable.arnOrigin) {
            // `arns/sns:orders`
            let parts = origin.dropFirst(FunctionVariable.arnOrigin.count).split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return parts[0] == "s3" ? ARN.file(String(parts[1])).description : arn(String(parts[0]), String(parts[1]))
        }
        let parts = origin.split(separator: ".").map(String.init)
        guard let last = parts.last else { return nil }
        let before = parts.dropLast().last ?? ""
        switch last {
        case "userPoolId": return pool?.userPoolID
        case "userPoolArn": return pool.map { arn("cognito-idp", "userpool/\($0.userPoolID)") }
        case "userPoolClientId": return clients.first?.id ?? pool?.clientID
        case "identityPoolId": return pool?.identityPoolID
        case "tableName", "tableArn", "tableStreamArn": return table(before, last)
        case "bucketName": return bucket(parts)
        case "bucketArn": return bucket(parts).map { ARN.file($0).description }
        case "functionName": return function(parts)
        case "url" where before == "addFunctionUrl()":
            return function(parts).map { GatewayTable.url(of: $0, at: endpoint) }
        case "functionArn": return function(parts).map { arn("lambda", "function:\($0)") }
        case "graphqlUrl", "attrGraphQlUrl": return graphql
        case "apiId", "attrApiId": return Self.apiID
        case "apiKey", "attrApiKey": return apiKey
        case "region", "REGION", "AWS::Region": return region
        case "account", "ACCOUNT_ID", "AWS::AccountId": return Self.accountID
        case "AWS::Partition": return "aws"
        case "AWS::URLSuffix": return "amazonaws.com"
        case "arn", "attrArn":
            return switch before {
            case "graphqlApi", "cfnGraphqlApi": arn("appsync", "apis/\(Self.apiID)")
            case "cfnUserPool", "userPool": pool.map { arn("cognito-idp", "userpool/\($0.userPoolID)") }
            default: nil
            }
        case "ref", "attrUserPoolId", "attrClientId":
            return switch before {
            case "cfnUserPool": pool?.userPoolID
            case "cfnUserPoolClient": clients.first?.id ?? pool?.clientID
            case "cfnIdentityPool": pool?.identityPoolID
            case "cfnFunction": function(parts)
            case "cfnBucket": bucket(parts)
            default: nil
            }
        default: return nil
        }
    }

    /// `queues/NAME.queueUrl`
    private func text(ofQueue origin: String) -> String? {
        let start = "queues/"
        guard origin.hasPrefix(start), let point = origin.lastIndex(of: ".") else { return nil }
        let name = String(origin[..<point].dropFirst(start.count))
        return switch origin[point...].dropFirst() {
        case "queueUrl": "\(endpoint)/\(Self.accountID)/\(name)"
        case "queueArn": arn("sqs", name)
        default: nil
        }
    }

    /// `stateMachines/NAME.stateMachineArn`
    private func text(ofStateMachine origin: String) -> String? {
        let (start, ending) = ("stateMachines/", ".stateMachineArn")
        guard origin.hasPrefix(start), origin.hasSuffix(ending) else { return nil }
        return arn("states", "stateMachine:\(origin.dropFirst(start.count).dropLast(ending.count))")
    }

    /// `tables/NAME.tableStreamArn`
    private func text(ofStream origin: String) -> String? {
        let (start, ending) = (FunctionVariable.tableOrigin, ".tableStreamArn")
        guard origin.hasPrefix(start), origin.hasSuffix(ending) else { return nil }
        let name = origin.dropFirst(start.count).dropLast(ending.count)
        return arn("dynamodb", "table/\(name)/stream/\(ItemService.steadyLabel)")
    }

    private func arn(_ service: String, _ name: String) -> String {
        ARN(service, region: region, account: Self.accountID, name).description
    }

    private func table(_ name: String, _ what: String) -> String {
        // A template calls it after its resource.
        let ending = "Table"
        let model = name.hasSuffix(ending) && isVersion1 ? String(name.dropLast(ending.count)) : name
        return switch what {
        case "tableName": TableName.of(model)
        case "tableArn": TableName.arn(of: model, region: region)
        default: TableName.streamARN(of: model, region: region)
        }
    }

    private var isVersion1: Bool { resources.version1 != nil }

    /// `backend.photos.resources.bucket.bucketName`
    private func bucket(_ parts: [String]) -> String? {
        guard parts.count > 1, let name = resources.storageKeys[parts[1]] else { return nil }
        return buckets?.buckets.first { $0.name == name }?.bucketName
    }

    /// `backend.mailer.resources.lambda.functionName`
    private func function(_ parts: [String]) -> String? { parts.count > 1 ? functions[parts[1]] : nil }

    // MARK: Parameters of Gen 1

    /// A parameter is called after its category, its resource and what of that is wanted: `apiblogGraphQLAPIIdOutput`.
    private func text(ofParameter name: String) -> String? {
        guard let project = resources.version1 else { return nil }
        // The names of some begin with those of others: the longest that fits is meant, and of it a value that it has.
        var texts: [(length: Int, text: String)] = []
        func look(_ category: String, _ resource: String, _ value: (_ wanted: String) -> String?) {
            guard let wanted = Self.end(of: name, behind: category + resource), let text = value(wanted) else { return }
            texts.append((resource.utf8.count, text))
        }
        if let api = project.api {
            look("api", api) { wanted in
                switch wanted {
                case "GraphQLAPIIdOutput": Self.apiID
                case "GraphQLAPIEndpointOutput": graphql
                case "GraphQLAPIKeyOutput": apiKey
                default: nil
                }
            }
        }
        for api in project.restAPIs {
            look("api", api.name) { wanted in
                switch wanted {
                // Where policies name an API, they do it by its name here.
                case "ApiName", "ApiId": api.name
                case "RootUrl": GatewayTable.address(ofAPI: api.name, at: endpoint)
                default: nil
                }
            }
        }
        if let auth = project.auth {
            look("auth", auth.name) { wanted in
                switch wanted {
                case "UserPoolId": pool?.userPoolID
                case "UserPoolArn": pool.map { arn("cognito-idp", "userpool/\($0.userPoolID)") }
                case "UserPoolName": auth.name
                case "AppClientIDWeb": clients.first?.id ?? pool?.clientID
                case "AppClientID": clients.last?.id ?? pool?.clientID
                case "IdentityPoolId": pool?.identityPoolID
                default: nil
                }
            }
        }
        if let storage = project.storage {
            look("storage", storage.name) { wanted in
                switch wanted {
                case "BucketName": buckets?.buckets.first { $0.name == storage.name }?.bucketName
                case "Region": region
                default: nil
                }
            }
        }
        for table in project.tables {
            let deployed = table.deployedName(in: project.environment)
            look("storage", table.resource) { wanted in
                switch wanted {
                case "Name": deployed
                case "Arn": arn("dynamodb", "table/\(deployed)")
                case "StreamArn": arn("dynamodb", "table/\(deployed)/stream/2015-01-01T00:00:00.000")
                default: nil
                }
            }
        }
        for function in project.functions {
            let deployed = "\(function.deployedName)-\(project.environment)"
            look("function", function.name) { wanted in
                switch wanted {
                case "Name": deployed
                case "Arn": arn("lambda", "function:\(deployed)")
                case "Region": region
                default: nil
                }
            }
        }
        return texts.max { $0.length < $1.length }?.text
    }

    private static func end(of text: String, behind start: String) -> String? {
        text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil
    }
}

/// The name of a variable as Amplify makes it of a name in camel case: `myPhotos` gives `MY_PHOTOS`.
enum VariableName {
    static func upper(_ text: String) -> String {
        var words: [String] = []
        var word = ""
        let letters = Array(text)
        for (place, letter) in letters.enumerated() {
            guard letter.isASCII, letter.isLetter || letter.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let before = word.last
            let next = place + 1 < letters.count ? letters[place + 1] : nil
            let begins =
                before.map { before in
                    (letter.isUppercase && (!before.isUppercase || next?.isLowercase == true && before.isUppercase))
                        || letter.isNumber != before.isNumber
                } ?? false
            if begins {
                words.append(word)
                word = ""
            }
            word.append(letter)
        }
        if !word.isEmpty { words.append(word) }
        return words.map { $0.uppercased() }.joined(separator: "_")
    }
}
