import JSON

/// The file `amplify/backend/backend-config.json` of a Gen 1 project, as far as it says in which modes an API admits callers:
///
///     {"api": {"blog": {"output": {"authConfig": {
///         "defaultAuthentication": {"authenticationType": "API_KEY"},
///         "additionalAuthenticationProviders": [{"authenticationType": "AWS_IAM"}]}}}}}
struct BackendConfiguration {
    private let file: JSONValue

    init(_ file: JSONValue) {
        self.file = file
    }

    /// The name of the GraphQL API; nil: there is none.
    var nameOfAPI: String? {
        (file["api"]?.object?.members ?? []).first { $0.value["service"]?.string == "AppSync" }?.key
    }

    /// The modes of the API whose schema lies in a folder, in the form of the configuration's `auth`; nil when the file does
    /// not say.
    func modes(ofAPIIn folder: String) -> JSONValue? {
        guard let output = api(in: folder)?.entry["output"] else { return nil }
        let auth = output["authConfig"]
        // Projects of the first years have one mode, under another name.
        guard let usual = Self.mode(auth?["defaultAuthentication"]) ?? output["securityType"]?.string else {
            return nil
        }
        let others = (auth?["additionalAuthenticationProviders"]?.array ?? []).compactMap { Self.mode($0) }
        return ["default": .string(usual), "additional": .array(others.map { .string($0) })]
    }

    private func api(in folder: String) -> (name: String, entry: JSONValue)? {
        let apis = file["api"]?.object ?? JSONObject()
        let names = folder.split(separator: "/").suffix(2).reversed().map(String.init)
        // The schema is a file in the folder of the API, or a folder there. A project has one GraphQL API.
        return names.lazy.compactMap { name in apis[name].map { (name, $0) } }.first
            ?? apis.members.first { $0.value["service"]?.string == "AppSync" }.map { ($0.key, $0.value) }
    }

    /// The reason why nothing is known of the modes of an API that the file does speak of; nil: there is none.
    func fault(ofAPIIn folder: String) -> String? {
        guard let (name, entry) = api(in: folder), let output = entry["output"], !output.isNull,
            output.object?.members.isEmpty != true, modes(ofAPIIn: folder) == nil
        else { return nil }
        return
            "`api.\(name).output` says no `authConfig.defaultAuthentication.authenticationType`, so nothing is known of who may call"
    }

    private static func mode(_ provider: JSONValue?) -> String? { provider?["authenticationType"]?.string }
}
