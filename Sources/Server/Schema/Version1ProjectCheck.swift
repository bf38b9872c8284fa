import Blueprint
import GraphQL
import JSON
import Project

/// The faults in a Gen 1 project's rights: a rule that cannot be read closes, and never falls back to the default.
enum Version1ProjectCheck {
    private static let categories = [
        "analytics", "api", "auth", "custom", "function", "geo", "hosting", "interactions", "notifications",
        "parameters", "predictions", "providers", "storage", "xr",
    ]
    /// The services of the categories that say who may do what.
    private static let services: [(category: String, names: [String])] = [
        ("auth", ["Cognito", "Cognito-UserPool-Groups"]), ("storage", ["S3", "DynamoDB"]),
    ]
    /// So many letters off, a name is a slip of the pen.
    private static let slipMax = 2

    /// Of `backend-config.json`.
    static func problems(of file: JSONValue, in name: String) -> [Diagnostic] {
        guard let members = file.object?.members else {
            return [ProjectFile.diagnostic(.error, "the file is an object of categories", in: name)]
        }
        var problems: [Diagnostic] = []
        for member in members where !categories.contains(member.key) {
            guard let near = Suggestions.list(for: member.key, among: categories, threshold: slipMax).first else {
                continue
            }
            problems.append(
                ProjectFile.diagnostic(
                    .error, "there is no category `\(member.key)`", hint: "Did you mean \(near)?", in: name,
                    at: member.key))
        }
        for (category, names) in services {
            guard let written = file[category] else { continue }
            guard let resources = written.object?.members else {
                problems.append(
                    ProjectFile.diagnostic(.error, "`\(category)` is an object of resources", in: name, at: category))
                continue
            }
            for resource in resources {
                let service = resource.value["service"]?.string
                // A resource that was imported says so in its own way.
                let isKnown = service.map { names.contains($0) } ?? false
                if isKnown || resource.value["serviceType"]?.string == "imported" { continue }
                problems.append(
                    ProjectFile.diagnostic(
                        .error,
                        "`service` of `\(category).\(resource.key)` is one of \(names.joined(separator: ", "))",
                        in: name,
                        at: resource.key))
            }
        }
        return problems
    }

    /// The categories whose resources have folders of their own.
    private static let filed = ["auth", "storage", "function", "api"]

    /// The resources of `backend-config.json` whose folders are not there, so that nothing is known of them. A missing folder of
    /// sign-in refuses the project, since it has the rules of sign-up.
    static func missingFolders(of file: JSONValue, in name: String, _ folder: String) -> [Diagnostic] {
        filed.flatMap { category -> [Diagnostic] in
            let there = ProjectFile.names(in: "\(folder)/\(category)")
            let resources = (file[category]?.object?.members ?? []).filter { resource in
                resource.value["serviceType"]?.string != "imported" && !there.contains(resource.key)
            }
            return resources.map { resource in
                let near =
                    there.first { $0.lowercased() == resource.key.lowercased() }
                    ?? Suggestions.list(for: resource.key, among: there, threshold: slipMax).first
                let own = ProjectLayout.shortened("\(folder)/\(category)/\(resource.key)")
                let isSignIn = category == "auth" && resource.value["service"]?.string == "Cognito"
                let effect = isSignIn ? "nothing is known of how people sign in" : "it is as if its files said nothing"
                return ProjectFile.diagnostic(
                    isSignIn ? .error : .warning,
                    "`\(category).\(resource.key)` has no folder \(own), so \(effect)",
                    hint: near.map { "There is \(category)/\($0): give both the same name." }
                        ?? "Bring the folder back from your repository, or remove the resource here.",
                    in: name, at: resource.key)
            }
        }
    }

    /// Of `cli-inputs.json`, or of `parameters.json` of the first years.
    static func problems(ofSignIn settings: JSONValue, in name: String) -> [Diagnostic] {
        Version1AuthCheck.problems(settings).map { problem in
            ProjectFile.diagnostic(
                problem.isError ? .error : .warning, problem.message, hint: problem.hint, in: name, at: problem.key)
        }
    }

    /// Of `cli-inputs.json` of a REST API, or of `api-params.json` of the first years.
    static func unsaidPaths(of file: JSONValue, in name: String) -> [Diagnostic] {
        RestPath.unsaidNames(in: file).map { path in
            ProjectFile.diagnostic(
                .warning, "the path `\(path)` does not say who may call it, so nobody may",
                hint: "Run `amplify update api`, or write \"permissions\": {\"setting\": \"open\"}.", in: name, at: path
            )
        }
    }

    /// A bucket about which nothing is known would be like any other.
    static func unreadableBucket(_ name: String, _ folder: String) -> Diagnostic {
        ProjectFile.diagnostic(
            .error,
            "the bucket `\(name)` has no `resourceName` and `bucketName` there, so nothing is known of who may do what",
            hint: "Bring the file back from your repository, or run `amplify update storage`.",
            in: "\(folder)/storage/\(name)/cli-inputs.json")
    }
}
