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

    private static let versionName = "transformerVersion"
    private static let ownerSwitchName = "useSubUsernameForDefaultIdentityClaim"
    private static let otherFeatures: Set = [
        "conflictDetection", "conflictDetectionModels", versionName, "version1OpenOperations",
    ]

    private static let switches: [String: any WritableKeyPath<Settings, Bool> & Sendable] = [
        "subscriptionsInheritPrimaryAuth": \.subscriptionsInheritPrimaryAuth,
        "enableAutoIndexQueryNames": \.enableAutoIndexQueryNames,
        "respectPrimaryKeyAttributesOnConnectionField": \.respectPrimaryKeyAttributesOnConnectionField,
        "populateOwnerFieldForStaticGroupAuth": \.populateOwnerFieldForStaticGroupAuth,
        ownerSwitchName: \.useSubUsernameForDefaultIdentityClaim,
        "allowGen1Patterns": \.allowGen1Patterns,
        "enableIamAccess": \.enableIamAccess,
        "shouldDeepMergeDirectiveConfigDefaults": \.shouldDeepMergeDirectiveConfigDefaults,
    ].merging(version1Switches) { first, _ in first }

    /// The switches that version 1 of the transformer reads; it knows no others.
    private static let version1Switches: [String: any WritableKeyPath<Settings, Bool> & Sendable] = [
        "secondaryKeyAsGSI": \.secondaryKeyAsGSI,
        "improvePluralization": \.improvePluralization,
        "addMissingOwnerFields": \.addMissingOwnerFields,
        "skipOverrideMutationInputTypes": \.skipOverrideMutationInputTypes,
        "validateTypeNameReservedWords": \.validateTypeNameReservedWords,
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
        // The version comes first: it decides what all other features are that are not written.
        if let version = members[Self.versionName] {
            use(version: try Self.version(version, at: path.appending(Self.versionName)))
        }
        for member in members where member.key != Self.versionName {
            guard Self.featureNames.contains(member.key) || !others.contains(member.key) else { continue }
            try apply(member.value, to: member.key, at: path.appending(member.key), others: others)
        }
        try checkOwners(at: path)
    }

    /// Takes another version of the transformer, with all that such a project has where it says nothing.
    private mutating func use(version: Int) {
        guard version != transformerVersion else { return }
        let usual = version == 1 ? Settings(silentProjectOfVersion: 1) : Settings()
        for keyPath in Self.switches.values { self[keyPath: keyPath] = usual[keyPath: keyPath] }
        transformerVersion = version
    }

    /// Records of version 1 have the user names of their owners, whatever a configuration would like.
    private func checkOwners(at path: JSONPath) throws(SettingsError) {
        guard transformerVersion == 1, useSubUsernameForDefaultIdentityClaim else { return }
        throw SettingsError(
            path.appending(Self.ownerSwitchName), "version 1 of the transformer knows owners by their user names alone",
            hint: "Remove it, or set transformerVersion to 2.")
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
        case "version1OpenOperations": version1OpenOperations = try Self.openOperations(value, at: path)
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

    private static func openOperations(_ value: JSONValue, at path: JSONPath) throws(SettingsError) -> OpenOperations {
        if let operations = value.string.flatMap(OpenOperations.init(rawValue:)) { return operations }
        let names = OpenOperations.allCases.map { "\"\($0.rawValue)\"" }
        throw SettingsError(path, "expected \(names.joined(separator: ", "))")
    }

    private static func strategy(_ value: JSONValue, at path: JSONPath) throws(SettingsError) -> ConflictStrategy? {
        if value.isNull { return nil }
        if let url = value.object?["lambda"]?.string { return .lambda(url: url) }
        if let strategy = value.string.flatMap({ ConflictStrategy.named[$0] }) { return strategy }
        throw SettingsError(path, "expected null, \"AUTOMERGE\", \"OPTIMISTIC_CONCURRENCY\" or {\"lambda\": URL}")
    }
}

extension Settings {
    /// The settings of a Gen 1 project by its `cli.json`. Where that says nothing they are those of old projects.
    ///
    /// - Parameter version: the version of the transformer, where somebody else has decided about it.
    package init(gen1 file: JSONValue, version: Int? = nil) throws(SettingsError) {
        let path = JSONPath().appending("features").appending("graphqltransformer")
        guard let section = file["features"]?["graphqltransformer"], !section.isNull else {
            self.init(silentProjectOfVersion: version ?? 1)
            return
        }
        guard let members = section.object else {
            throw SettingsError(path, "expected an object, found \(section.kind)")
        }
        let written = try Self.version(ofProject: members, at: path)
        self.init(silentProjectOfVersion: version ?? written)
        // The file has many more switches: of no consequence for the API, or for the other version's transformer.
        let known = transformerVersion == 1 ? Self.version1Switches : Self.switches
        var features: [String: String] = [:]
        for name in known.keys { features[name.lowercased()] = name }
        for member in members {
            guard let feature = features[member.key.lowercased()] else { continue }
            try apply(member.value, to: feature, at: path.appending(member.key), others: [])
        }
    }

    /// The version that Amplify's own tool takes for a project. Its number counts only beside the older switch: a project
    /// that has the number alone is one of version 1.
    private static func version(ofProject members: JSONObject, at path: JSONPath) throws(SettingsError) -> Int {
        // Amplify's own tools write the keys in lower case and read them in any.
        func member(_ name: String) -> (key: String, value: JSONValue)? {
            members.reversed().first { $0.key.lowercased() == name }.map { ($0.key, $0.value) }
        }
        guard let switched = member("useexperimentalpipelinedtransformer") else { return 1 }
        guard let isOn = switched.value.bool else {
            throw SettingsError(path.appending(switched.key), "expected true or false, found \(switched.value.kind)")
        }
        guard isOn else { return 1 }
        guard let number = member("transformerversion") else { return 2 }
        // The tool writes 2 in place of a 1 that stands here.
        _ = try Self.version(number.value, at: path.appending(number.key))
        return 2
    }

    /// How many plug-ins of a transformer are told apart.
    private static let plugInsMax = 100

    /// Takes the conflict detection and the plug-ins of a Gen 1 project from its `transform.conf.json`, beside the schema, whose
    /// `ResolverConfig` is also that of the CDK. A Lambda needs the URL that it has here: nothing is taken from it.
    package mutating func apply(resolverConfiguration file: JSONValue) {
        plugIns = (file["transformers"]?.array ?? []).prefix(Self.plugInsMax).compactMap(\.string)
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
