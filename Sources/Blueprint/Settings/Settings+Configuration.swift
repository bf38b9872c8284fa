import GraphQL
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
    private static let ownerSwitchName = "useSubUsernameForDefaultIdentityClaim"

    /// The switches that version 2 of the transformer reads.
    static let switches: [String: any WritableKeyPath<Settings, Bool> & Sendable] = [
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

    /// The version of the transformer. Another one brings all that a project of it has where it says nothing.
    package var usedVersion: Int {
        get { transformerVersion }
        set {
            guard newValue != transformerVersion else { return }
            let usual = newValue == 1 ? Settings(silentProjectOfVersion: 1) : Settings()
            for field in Self.switches.values { self[keyPath: field] = usual[keyPath: field] }
            transformerVersion = newValue
        }
    }

    /// The strategies of single models. New ones go over those that are there.
    package var namedConflictStrategies: [String: ConflictStrategy] {
        get { conflictStrategies }
        set { conflictStrategies.merge(newValue) { $1 } }
    }

    /// Records of version 1 have the user names of their owners, whatever a configuration would like.
    package func checkOwners() throws(SettingsError) {
        guard transformerVersion == 1, useSubUsernameForDefaultIdentityClaim else { return }
        throw SettingsError(
            JSONPath().appending("features").appending(Self.ownerSwitchName),
            "version 1 of the transformer knows owners by their user names alone",
            hint: "Remove it, or set transformerVersion to 2.")
    }

    /// Takes `default` and `additional` modes.
    package mutating func apply(auth: JSONValue) throws(SettingsError) {
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

    private static func version(_ value: JSONValue, at path: JSONPath) throws(SettingsError) -> Int {
        guard value.integer == 1 || value.integer == 2 else {
            throw SettingsError(
                path, "expected 1 or 2",
                hint: "1 is for schemas with @connection, @key and @versioned, 2 for all others.")
        }
        return value.integer == 1 ? 1 : 2
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
        let fields = Dictionary(known.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        for member in members {
            guard let field = fields[member.key.lowercased()] else { continue }
            guard let isOn = member.value.bool else {
                throw SettingsError(
                    path.appending(member.key), "expected true or false, found \(member.value.kind)")
            }
            self[keyPath: field] = isOn
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
    /// `ResolverConfig` is also that of the CDK. A function goes by its name without that of the environment.
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
        if handler == "LAMBDA", let name = entry?["LambdaConflictHandler"]?["name"]?.string, !name.isEmpty {
            let suffix = "-${env}"
            return .lambda(url: name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name)
        }
        return ConflictStrategy.named[handler]
    }
}
