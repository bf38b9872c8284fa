import JSON

/// Why settings cannot be read, and where in the file that is: `JSONLocator` finds the line of the path.
package struct SettingsError: Error, Sendable, Equatable {
    package let path: JSONPath
    package let message: String
    package let hint: String?

    package init(_ path: JSONPath, _ message: String, hint: String? = nil) {
        self.path = path
        self.message = message
        self.hint = hint
    }
}

extension SettingsError: CustomStringConvertible {
    package var description: String { "\(path): \(message)" }
}

extension Settings {
    /// The features of an API's configuration that this room knows.
    package static let featureNames = Set(switches.keys).union(otherFeatures)

    private static let otherFeatures: Set = ["conflictDetection", "conflictDetectionModels", "transformerVersion"]

    private static let switches: [String: any WritableKeyPath<Settings, Bool> & Sendable] = [
        "subscriptionsInheritPrimaryAuth": \.subscriptionsInheritPrimaryAuth,
        "secondaryKeyAsGSI": \.secondaryKeyAsGSI,
        "enableAutoIndexQueryNames": \.enableAutoIndexQueryNames,
        "respectPrimaryKeyAttributesOnConnectionField": \.respectPrimaryKeyAttributesOnConnectionField,
        "populateOwnerFieldForStaticGroupAuth": \.populateOwnerFieldForStaticGroupAuth,
        "useSubUsernameForDefaultIdentityClaim": \.useSubUsernameForDefaultIdentityClaim,
        "allowGen1Patterns": \.allowGen1Patterns,
        "enableIamAccess": \.enableIamAccess,
        "shouldDeepMergeDirectiveConfigDefaults": \.shouldDeepMergeDirectiveConfigDefaults,
        "improvePluralization": \.improvePluralization,
    ]

    /// Takes the `auth` and `features` of an API's configuration over these settings.
    ///
    /// Features that others read are named in `others`; any further one is an error. Of `auth`, this room reads
    /// `default` and `additional`.
    package mutating func apply(
        auth: JSONValue?, features: JSONValue?, others: Set<String> = []
    ) throws(SettingsError) {
        if let auth { try apply(auth: auth) }
        guard let features, !features.isNull else { return }
        let path = JSONPath().appending("features")
        guard let members = features.object else {
            throw SettingsError(path, "expected an object, found \(features.kind)")
        }
        for member in members {
            guard Self.featureNames.contains(member.key) || !others.contains(member.key) else { continue }
            try apply(member.value, to: member.key, at: path.appending(member.key), others: others)
        }
    }

    private mutating func apply(auth: JSONValue) throws(SettingsError) {
        let path = JSONPath().appending("auth")
        guard let members = auth.object else { throw SettingsError(path, "expected an object, found \(auth.kind)") }
        if let value = members["default"] { defaultMode = try Self.mode(value, at: path.appending("default")) }
        if let value = members["additional"] {
            let path = path.appending("additional")
            guard let values = value.array else { throw SettingsError(path, "expected an array, found \(value.kind)") }
            var modes: [AuthMode] = []
            for (index, value) in values.enumerated() {
                let mode = try Self.mode(value, at: path.appending(index))
                // AppSync refuses a mode given twice; here it is the same mode.
                if mode != defaultMode, !modes.contains(mode) { modes.append(mode) }
            }
            additionalModes = modes
        }
    }

    private static func mode(_ value: JSONValue, at path: JSONPath) throws(SettingsError) -> AuthMode {
        guard let name = value.string else { throw SettingsError(path, "expected a string, found \(value.kind)") }
        if let mode = AuthMode(rawValue: name) { return mode }
        let names = AuthMode.allCases.map(\.rawValue)
        throw SettingsError(
            path, "there is no mode \"\(name)\".\(Suggestions.didYouMean(name, among: names))",
            hint: "The modes are \(names.joined(separator: ", ")).")
    }

    private mutating func apply(
        _ value: JSONValue, to feature: String, at path: JSONPath, others: Set<String>
    ) throws(SettingsError) {
        if let keyPath = Self.switches[feature] {
            guard let bool = value.bool else {
                throw SettingsError(path, "expected true or false, found \(value.kind)")
            }
            self[keyPath: keyPath] = bool
            return
        }
        switch feature {
        case "conflictDetection": conflictStrategy = try Self.strategy(value, at: path)
        case "conflictDetectionModels":
            guard let members = value.object else {
                throw SettingsError(path, "expected an object, found \(value.kind)")
            }
            for member in members {
                conflictStrategies[member.key] = try Self.strategy(member.value, at: path.appending(member.key))
            }
        case "transformerVersion": transformerVersion = try Self.version(value, at: path)
        default:
            throw SettingsError(
                path,
                "there is no feature \"\(feature)\"."
                    + Suggestions.didYouMean(feature, among: Self.featureNames.union(others)))
        }
    }

    private static func version(_ value: JSONValue, at path: JSONPath) throws(SettingsError) -> Int {
        guard value.integer == 1 || value.integer == 2 else {
            throw SettingsError(
                path, "expected 1 or 2",
                hint: "1 is for schemas with @connection, @key and @versioned, 2 for all others.")
        }
        return value.integer == 1 ? 1 : 2
    }

    private static func strategy(_ value: JSONValue, at path: JSONPath) throws(SettingsError) -> ConflictStrategy? {
        if value.isNull { return nil }
        if let url = value.object?["lambda"]?.string { return .lambda(url: url) }
        if let strategy = value.string.flatMap({ ConflictStrategy.named[$0] }) { return strategy }
        throw SettingsError(path, "expected null, \"AUTOMERGE\", \"OPTIMISTIC_CONCURRENCY\" or {\"lambda\": URL}")
    }
}

extension Settings {
    /// The settings of a Gen 1 project by its `cli.json`, in which what is not said has the value of old projects.
    package init(gen1 file: JSONValue) throws(SettingsError) {
        self.init()
        enableAutoIndexQueryNames = false
        respectPrimaryKeyAttributesOnConnectionField = false
        secondaryKeyAsGSI = false
        shouldDeepMergeDirectiveConfigDefaults = false
        useSubUsernameForDefaultIdentityClaim = false
        populateOwnerFieldForStaticGroupAuth = false
        transformerVersion = 1
        let path = JSONPath().appending("features").appending("graphqltransformer")
        guard let section = file["features"]?["graphqltransformer"], !section.isNull else { return }
        guard let members = section.object else {
            throw SettingsError(path, "expected an object, found \(section.kind)")
        }
        // Amplify's own tools write the keys in lower case and read them in any.
        var features: [String: String] = ["transformerversion": "transformerVersion"]
        for name in Self.switches.keys { features[name.lowercased()] = name }
        for member in members {
            // The file has many more switches, of no consequence for the API.
            guard let feature = features[member.key.lowercased()] else { continue }
            try apply(member.value, to: feature, at: path.appending(member.key), others: [])
        }
    }

    /// Takes the conflict detection of a Gen 1 project from its `transform.conf.json`, beside the schema, whose
    /// `ResolverConfig` is also that of the CDK. A Lambda needs the URL that it has here: nothing is taken from it.
    package mutating func apply(resolverConfiguration file: JSONValue) {
        guard let section = file["ResolverConfig"] else { return }
        if let strategy = Self.strategy(ofResolver: section["project"]) { conflictStrategy = strategy }
        for member in section["models"]?.object ?? JSONObject() {
            if let strategy = Self.strategy(ofResolver: member.value) { conflictStrategies[member.key] = strategy }
        }
    }

    private static func strategy(ofResolver entry: JSONValue?) -> ConflictStrategy? {
        guard entry?["ConflictDetection"]?.string == "VERSION", let handler = entry?["ConflictHandler"]?.string else {
            return nil
        }
        return ConflictStrategy.named[handler]
    }
}
