import Blueprint
import JSON
import Project

extension Project {
    /// Reads a project of Gen 1 in its folder, `amplify/backend`.
    init(version1 folder: String, _ programs: ProgramReader) throws(UnreadableSchema) {
        self.init()
        self.folder = folder
        let own = try Version1Project(folder, programs, &self)
        signInFile = own.auth?.file
        signIn = isRefused ? .refused : own.auth.map { .declared($0.resource) } ?? .none
        storage = isRefused ? .refused : own.storage.map(ProjectStorage.version1) ?? .none
        tables = own.tables.map { $0.made(in: own.environment) }
        generation = .version1(own)
    }
}

extension Version1Project {
    private static let configurationFile = "backend-config.json"
    static let frontendFile = "../.config/project-config.json"
    static let usualFolder = "amplify/backend"
    static let functionFolder = "function"

    /// The file by which a folder is that of such a project; nil: it is none.
    static func fileIfThere(in folder: String) -> String? {
        let file = "\(folder)/\(configurationFile)"
        return ProjectReading.surroundings.exists(file) ? file : nil
    }

    /// `amplify/backend`, by a schema that lies in `api/NAME` there; nil where it does not.
    static func folder(ofSchema place: String) -> String? {
        let parts = place.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // The API's own name may be `api` as well.
        let api = parts.indices.last { $0 >= 2 && Array(parts[($0 - 2)...$0]) == ["amplify", "backend", "api"] }
        return api.map { parts[..<$0].joined(separator: "/") }
    }

    /// - Parameter project: takes what projects of Gen 2 have, too.
    fileprivate init(
        _ folder: String, _ programs: ProgramReader, _ project: inout Project
    ) throws(UnreadableSchema) {
        self.init()
        let file = try ProjectFile.valueIfThere("\(folder)/\(Self.configurationFile)")
        func resources(_ category: String) -> [(name: String, value: JSONValue)] {
            if let file { return (file[category]?.object?.members ?? []).map { ($0.key, $0.value) } }
            return ProjectFile.names(in: "\(folder)/\(category)").map { ($0, .null) }
        }
        var problems =
            file.map { Version1ProjectCheck.problems(of: $0, in: "\(folder)/\(Self.configurationFile)") } ?? []
        if let file {
            let name = "\(folder)/\(Self.configurationFile)"
            problems += Version1ProjectCheck.missingFolders(of: file, in: name, folder)
        }
        for file in Self.overrides(resources, in: folder) {
            let reading = programs.override(file, ProjectReading.surroundings)
            if reading.hidesSchema { project.hidesSchema = true }
            problems += reading.problems
        }
        auth = try Self.auth(
            resources("auth"), functions: resources("function").map(\.name), folder, programs, &problems)
        let apis = resources("api")
        api = apis.first { $0.value["service"]?.string == "AppSync" || $0.value.isNull }?.name
        var inputs: [String: JSONValue] = [:]
        var templates: [String: Version1RESTTemplate] = [:]
        for api in apis where api.value["service"]?.string == "API Gateway" {
            let own = "\(folder)/api/\(api.name)"
            for name in ProjectFile.names(in: own) where name.hasSuffix("cloudformation-template.json") {
                templates[api.name] = try ProjectFile.valueIfThere("\(own)/\(name)").map(Version1RESTTemplate.init)
            }
            for name in ["cli-inputs.json", "api-params.json"] where inputs[api.name] == nil {
                guard let file = try ProjectFile.valueIfThere("\(own)/\(name)") else { continue }
                inputs[api.name] = file
                problems += Version1ProjectCheck.unsaidPaths(of: file, in: "\(own)/\(name)")
            }
        }
        restAPIs = apis.compactMap { name, value in
            switch value["service"]?.string {
            case "API Gateway":
                let type = value["authorizationType"]?.string ?? AuthMode.iam.rawValue
                return RESTAPI(
                    name: name, authorizationType: type,
                    paths: RestPath.paths(
                        of: name, inputs[name] ?? .null, template: templates[name] ?? Version1RESTTemplate(),
                        isForUsers: type == AuthMode.userPools.rawValue))
            case "ElasticContainer" where value["apiType"]?.string == "REST":
                return RESTAPI(
                    name: name,
                    authorizationType: value["restrictAccess"]?.bool == true
                        ? AuthMode.userPools.rawValue : AuthMode.iam.rawValue)
            default: return nil
            }
        }
        for (name, value) in resources("storage") {
            let inputs = try ProjectFile.valueIfThere("\(folder)/storage/\(name)/cli-inputs.json")
            if let table = try Self.table(name, value, inputs, folder) {
                tables.append(table)
            } else if storage == nil {
                // A project has one bucket.
                storage = inputs.flatMap(Version1Storage.init)
                let isElsewhere = value["serviceType"]?.string == "imported"
                let isOfService = value["service"]?.string.map { $0 == "S3" } ?? true
                if storage == nil, inputs == nil, isOfService, !isElsewhere,
                    let parameters = try ProjectFile.valueIfThere("\(folder)/storage/\(name)/parameters.json")
                {
                    storage = Version1Storage(
                        name, parameters: parameters,
                        others: try ProjectFile.valueIfThere("\(folder)/storage/\(name)/storage-params.json"))
                }
                if storage == nil, isElsewhere {
                    storage = Version1Storage(elsewhere: name)
                }
                if storage == nil, isOfService {
                    problems.append(Version1ProjectCheck.unreadableBucket(name, folder))
                }
            }
        }
        project.diagnostics = problems
        frontend = Frontend(try ProjectFile.valueIfThere("\(folder)/\(Self.frontendFile)"))
        let local = try ProjectFile.valueIfThere("\(folder)/../.config/local-env-info.json")
        let teamFile = "\(folder)/../team-provider-info.json"
        let team = try ProjectFile.valueIfThere(teamFile)?.object ?? JSONObject()
        environment =
            local?["envName"]?.string ?? (team["dev"] == nil ? team.members.first?.key : nil) ?? "dev"
        project.region = team[environment]?["awscloudformation"]?["Region"]?.string.map {
            ($0, ProjectLayout.shortened(teamFile))
        }
        let categories = team[environment]?["categories"]?["function"]
        let foreign = Self.foreignCategories(file, in: folder)
        let parts = foreign.flatMap { category in resources(category).map { "\(category)/\($0.name)" } }
        for (name, value) in resources(Self.functionFolder) {
            // What is in the folder of a layer is for others.
            guard value["service"]?.string.map({ $0 == "Lambda" }) ?? true else { continue }
            let function = try Self.function(name, folder, environment, team: categories?[name])
            guard var function else { continue }
            function.grants.add(
                Version1Grants.grants(of: function, auth: auth, storage: storage, folder: folder, parts))
            functions.append(function)
        }
        project.authorizer = apis.lazy.compactMap { Self.authorizer(of: $0.value) }.first
    }

    /// The overrides of other resources than those of sign-in.
    private static func overrides(
        _ resources: (String) -> [(name: String, value: JSONValue)], in folder: String
    ) -> [String] {
        let owned = ["storage", "api"].flatMap { category in resources(category).map { "\(category)/\($0.name)" } }
        return (["awscloudformation", "auth/userPoolGroups"] + owned).map { "\(folder)/\($0)/override.ts" }
            .filter { ProjectReading.surroundings.exists($0) }
    }

    /// Categories of Amplify's own, whose templates give functions no rights but those that are read.
    private static let ownCategories: Set<ByteText> = [
        "auth", "api", "function", "storage", "hosting", "analytics", "predictions", "interactions", "notifications",
        "geo", "xr", "awscloudformation", "types", "parameters",
    ]

    /// The categories that a project makes itself: `custom`, and whatever it calls others.
    private static func foreignCategories(_ file: JSONValue?, in folder: String) -> [String] {
        let names = file.map { $0.object?.members.map(\.key) ?? [] } ?? ProjectFile.names(in: folder)
        return names.filter { !ownCategories.contains(ByteText($0)) && !$0.contains(".") }
    }

    private static func function(
        _ name: String, _ folder: String, _ environment: String, team: JSONValue?
    ) throws(UnreadableSchema) -> Version1Function? {
        let own = "\(folder)/\(functionFolder)/\(name)"
        // A template may be kept in YAML, too: then the function runs with what is usual.
        let template = try ProjectFile.valueIfThere("\(own)/\(name)-cloudformation-template.json")
        guard template != nil || !ProjectFile.names(in: "\(own)/src").isEmpty else { return nil }
        let settings = try ProjectFile.valueIfThere("\(own)/function-parameters.json")
        var parameters = JSONObject()
        let said = [settings, try ProjectFile.valueIfThere("\(own)/parameters.json"), team]
        for member in said.flatMap({ $0?.object?.members ?? [] }) { parameters[member.key] = member.value }
        return Version1Function(
            name: name, template: template ?? .null, parameters: parameters, settings: settings ?? .null,
            policies: try ProjectFile.valueIfThere("\(own)/custom-policies.json") ?? .null, environment: environment)
    }

    private static func authorizer(of api: JSONValue) -> DataAuthorizer? {
        let configuration = api["output"]?["authConfig"]
        let modes =
            [configuration?["defaultAuthentication"]]
            + (configuration?["additionalAuthenticationProviders"]?.array ?? [])
        return modes.lazy.compactMap { mode in
            guard let settings = mode?["lambdaAuthorizerConfig"], let name = settings["lambdaFunction"]?.string else {
                return nil
            }
            let seconds = settings["ttlSeconds"]?.integer ?? settings["ttlSeconds"]?.string.flatMap { Int64($0) }
            return DataAuthorizer(FunctionReference(name: name), cacheSeconds: seconds.map { Int(clamping: $0) })
        }.first
    }

    private static func table(
        _ name: String, _ value: JSONValue, _ inputs: JSONValue?, _ folder: String
    ) throws(UnreadableSchema) -> Version1Table? {
        if let inputs { return Version1Table(name, inputs) }
        guard value["service"]?.string == "DynamoDB" else { return nil }
        let place = "\(folder)/storage/\(name)"
        let template = try ProjectFile.valueIfThere("\(place)/\(name)-cloudformation-template.json")
        let parameters = try ProjectFile.valueIfThere("\(place)/parameters.json")
        return template.flatMap { Version1Table(name, template: $0, parameters: parameters?.object ?? JSONObject()) }
    }

    private static func auth(
        _ resources: [(name: String, value: JSONValue)], functions: [String], _ folder: String,
        _ programs: ProgramReader, _ problems: inout [Diagnostic]
    ) throws(UnreadableSchema) -> SignIn? {
        for (name, value) in resources {
            guard value["service"]?.string == "Cognito" || value.isNull else { continue }
            let file = "\(folder)/auth/\(name)/cli-inputs.json"
            let isElsewhere = value["serviceType"]?.string == "imported"
            let inputs = try ProjectFile.valueIfThere(file)
            var settings = inputs?["cognitoConfig"]
            var place = file
            // Projects of the first years have all of it in another file.
            if inputs == nil, !isElsewhere {
                place = "\(folder)/auth/\(name)/parameters.json"
                settings = try ProjectFile.valueIfThere(place)
            }
            if inputs == nil, settings == nil, value.isNull { continue }
            // Where the whole folder is missing, `backend-config.json` was refused for it.
            let isThere = settings != nil || ProjectFile.names(in: "\(folder)/auth").contains(name)
            if !isElsewhere, isThere {
                problems += Version1ProjectCheck.problems(ofSignIn: settings ?? .null, in: place)
            }
            let auth = Version1Auth(settings ?? .null, groups: try groups(in: folder, &problems))
            let override = "\(folder)/auth/\(name)/override.ts"
            var overridden: AuthResource?
            if ProjectReading.surroundings.exists(override) {
                let reading = programs.signInOverride(override, auth.resource, ProjectReading.surroundings)
                overridden = reading.auth
                problems += reading.diagnostics
            }
            let challenges: [AuthResource.Trigger.Event] = [
                .defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse,
            ]
            return SignIn(
                name: name, file: file, auth: auth, isElsewhere: isElsewhere,
                hasOwnChallenges: value["customAuth"]?.bool ?? challenges.allSatisfy(auth.triggers.contains),
                triggers: triggers(auth, name, value, functions), overridden: overridden)
        }
        return nil
    }

    private static func groups(
        in folder: String, _ problems: inout [Diagnostic]
    ) throws(UnreadableSchema) -> [DeclaredPool.Group] {
        let name = "\(folder)/auth/userPoolGroups/user-pool-group-precedence.json"
        let file = try ProjectFile.valueIfThere(name)
        if let file, file.array?.allSatisfy({ $0["groupName"]?.string != nil }) != true {
            problems.append(
                ProjectFile.diagnostic(.error, "the file is a list of groups, each with a text `groupName`", in: name))
        }
        return (file?.array ?? []).compactMap { group in
            group["groupName"]?.string.map { name in
                DeclaredPool.Group(name: name, precedence: group["precedence"]?.integer.flatMap { Int(exactly: $0) })
            }
        }
    }

    /// A function of a trigger is called after the resource and the trigger: `app1a2bPostConfirmation`.
    private static func triggers(
        _ auth: Version1Auth, _ name: String, _ resource: JSONValue, _ functions: [String]
    ) -> [AuthResource.Trigger] {
        let depended = (resource["dependsOn"]?.array ?? []).filter { $0["category"]?.string == "function" }
            .compactMap { $0["resourceName"]?.string }
        return auth.triggers.compactMap { event in
            let ending = event.rawValue.lowercased()
            let fitting = (depended + functions).filter { $0.lowercased().hasSuffix(ending) }
            let own = "\(name)\(ending)".lowercased()
            return (fitting.first { $0.lowercased() == own } ?? fitting.first).map {
                AuthResource.Trigger(event: event, function: FunctionReference(name: $0))
            }
        }
    }
}
