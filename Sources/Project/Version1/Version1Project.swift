import Blueprint
import JSON

/// The part of a project that is of Gen 1 alone, as Amplify's command line lays it out in `amplify/backend`: the names of its
/// resources, and what their files say.
///
///     backend-config.json                  which resources there are
///     auth/NAME/cli-inputs.json            how people sign in
///     auth/userPoolGroups/user-pool-group-precedence.json
///     api/NAME/                            the GraphQL API, and REST APIs
///     storage/NAME/cli-inputs.json         the bucket, and tables; in the first years `parameters.json`
///     function/NAME/                       functions, each with its template
package struct Version1Project: Sendable {
    /// How people sign in; nil: nobody does.
    package var auth: SignIn?
    /// The name of the GraphQL API; nil: there is none.
    package var api: String?
    package var restAPIs: [RESTAPI] = []
    package var storage: Version1Storage?
    package var tables: [Version1Table] = []
    package var functions: [Version1Function] = []
    /// The kind of the app; nil: its files do not say.
    package var frontend: Frontend?
    /// The environment that Amplify puts behind the names of its resources.
    package var environment = "dev"

    package init() {}

    package struct SignIn: Sendable {
        package let name: String
        /// The file that says it.
        package let file: String
        package let auth: Version1Auth
        /// True if the pool is elsewhere, and what it is like is known to it alone.
        package let isElsewhere: Bool
        /// True if people sign in by challenges of the app's own.
        package let hasOwnChallenges: Bool
        /// The functions that the pool calls, by event.
        package let triggers: [AuthResource.Trigger]

        /// The changes of `override.ts`; nil: there is none.
        package let overridden: AuthResource?

        package init(
            name: String, file: String, auth: Version1Auth, isElsewhere: Bool, hasOwnChallenges: Bool,
            triggers: [AuthResource.Trigger], overridden: AuthResource?
        ) {
            (self.name, self.file, self.auth, self.isElsewhere) = (name, file, auth, isElsewhere)
            (self.hasOwnChallenges, self.triggers, self.overridden) = (hasOwnChallenges, triggers, overridden)
        }

        /// The same as a project of Gen 2 would say it.
        package var resource: AuthResource {
            var resource = overridden ?? auth.resource
            resource.triggers = triggers
            return resource
        }
    }

    package struct RESTAPI: Sendable {
        package let name: String
        package let authorizationType: String
        /// Its paths, each with the function that is called there.
        package let paths: [(path: RestPath, function: String)]

        package init(
            name: String, authorizationType: String, paths: [(path: RestPath, function: String)] = []
        ) {
            (self.name, self.authorizationType, self.paths) = (name, authorizationType, paths)
        }
    }

    /// The app, as `.config/project-config.json` says it.
    package struct Frontend: Sendable {
        package let isWeb: Bool
        /// The files by which it finds its backend, from the folder of the project.
        package let files: [String]
        /// The setting that names their folder; nil: it is the usual one.
        package let folderKey: String?

        package init?(_ file: JSONValue?) {
            guard let kind = file?["frontend"]?.string else { return nil }
            let settings = file?[kind]?["config"]
            isWeb = kind == "javascript"
            func inside(_ folder: String, _ names: [String]) -> [String] {
                var folder = folder.hasPrefix("./") ? String(folder.dropFirst(2)) : folder
                while folder.hasSuffix("/") { folder.removeLast() }
                return folder.isEmpty || folder == "." ? names : names.map { "\(folder)/\($0)" }
            }
            let key = kind == "javascript" ? "SourceDir" : "ResDir"
            folderKey = settings?[key]?.string == nil ? nil : key
            let native = ["amplifyconfiguration.json", "awsconfiguration.json"]
            switch kind {
            case "javascript":
                files = inside(
                    settings?["SourceDir"]?.string ?? "src", ["aws-exports.js", "amplifyconfiguration.json"])
            case "android": files = inside((settings?["ResDir"]?.string ?? "app/src/main/res") + "/raw", native)
            case "ios": files = native
            case "flutter": files = inside(settings?["ResDir"]?.string ?? "lib", ["amplifyconfiguration.dart"])
            default: return nil
            }
        }
    }
}
