import Blueprint
import Foundation
import JSON
import Programs
import Project
import TestSupport
import Testing
import UserPool

@testable import Files
@testable import Server

/// What a project with a mistake in it allows: no more than the project without it, or nothing at all.
@Suite("A project with a mistake in it")
struct BrokenProjectTests {
    struct Project: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        /// The words that a mistake is made in.
        let words: [String]
        var testDescription: String { name }
    }

    private static let backend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { storage } from './storage/resource';
        const backend = defineBackend({ auth, storage });

        """
    private static let storage = """
        import { defineStorage } from '@aws-amplify/backend';
        export const storage = defineStorage({ name: 'files', access: (allow) => ({
          'own/{entity_id}/*': [allow.entity('identity').to(['read', 'write'])],
        }) });
        """

    private static let options = [
        "loginWith", "multifactor", "mode", "totp", "accountRecovery", "userAttributes", "mutable", "groups", "access",
        "adminCreateUserConfig", "allowAdminCreateUserOnly", "mfaConfiguration", "writeAttributes",
        "explicitAuthFlows", "allowUnauthenticatedIdentities", "minimumLength", "passwordPolicy", "cfnResources",
        "cfnUserPool", "defineAuth", "defineStorage", "entity", "cognitoConfig", "allowUnauthenticatedIdentities",
        "mfaTypes", "passwordPolicyMinLength", "userpoolClientSetAttributes", "userpoolClientWriteAttributes",
        "adminCreateUserConfig", "storageAccess", "authAccess", "service", "resourceName", "bucketName", "auth",
        "storage",
    ]

    static let projects = [
        Project(
            name: "invited users with a second factor",
            files: [
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                export const auth = defineAuth({
                  loginWith: { email: true }, multifactor: { mode: 'REQUIRED', totp: true }, accountRecovery: 'NONE',
                });
                """,
                "amplify/storage/resource.ts": storage,
                "amplify/backend.ts": backend + """
                    const { cfnUserPool, cfnIdentityPool } = backend.auth.resources.cfnResources;
                    cfnUserPool.adminCreateUserConfig = { allowAdminCreateUserOnly: true };
                    cfnIdentityPool.allowUnauthenticatedIdentities = false;
                    """,
            ], words: options),
        Project(
            name: "attributes that the backend alone writes",
            files: [
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                export const auth = defineAuth({
                  loginWith: { email: true },
                  userAttributes: { 'custom:role': { dataType: 'String', mutable: true } }, groups: ['staff'],
                });
                """,
                "amplify/storage/resource.ts": storage,
                "amplify/backend.ts": backend + """
                    const { cfnUserPoolClient } = backend.auth.resources.cfnResources;
                    cfnUserPoolClient.writeAttributes = ['email'];
                    cfnUserPoolClient.explicitAuthFlows = ['ALLOW_USER_SRP_AUTH'];
                    """,
            ], words: options),
        Project(
            name: "overrides by the names of the template",
            files: [
                "amplify/auth/resource.ts": """
                import { defineAuth } from '@aws-amplify/backend';
                export const auth = defineAuth({ loginWith: { phone: true } });
                """,
                "amplify/storage/resource.ts": storage,
                "amplify/backend.ts": backend + """
                    const { cfnUserPool } = backend.auth.resources.cfnResources;
                    cfnUserPool.addPropertyOverride('MfaConfiguration', 'ON');
                    cfnUserPool.addPropertyOverride('Policies.PasswordPolicy.MinimumLength', 20);
                    cfnUserPool.addPropertyOverride('AdminCreateUserConfig.AllowAdminCreateUserOnly', true);
                    backend.auth.resources.cfnResources.cfnIdentityPool.allowUnauthenticatedIdentities = false;
                    """,
            ],
            words: options + [
                "AdminCreateUserConfig", "addPropertyOverride", "MfaConfiguration", "MinimumLength",
                "AllowAdminCreateUserOnly",
            ]),
        Project(
            name: "Gen 1",
            files: [
                "amplify/backend/backend-config.json": """
                {"auth": {"shop": {"service": "Cognito"}}, "storage": {"files": {"service": "S3"}}}
                """,
                "amplify/backend/auth/shop/cli-inputs.json": """
                {"version": "1", "cognitoConfig": {"usernameAttributes": ["email"], "autoVerifiedAttributes": ["email"],
                 "mfaConfiguration": "ON", "mfaTypes": ["TOTP"], "passwordPolicyMinLength": 20,
                 "allowUnauthenticatedIdentities": false, "userpoolClientSetAttributes": true,
                 "userpoolClientWriteAttributes": ["email"], "userpoolClientReadAttributes": ["email"],
                 "adminCreateUserConfig": {"AllowAdminCreateUserOnly": true}}}
                """,
                "amplify/backend/storage/files/cli-inputs.json": """
                {"resourceName": "files", "bucketName": "files", "storageAccess": "auth", "guestAccess": [],
                 "authAccess": ["READ"], "groupAccess": {}}
                """,
            ], words: options),
        Project(
            name: "Gen 1 of the first years",
            files: [
                "amplify/backend/backend-config.json": #"{"auth": {"shop": {"service": "Cognito"}}}"#,
                "amplify/backend/auth/shop/parameters.json": """
                {"usernameAttributes": ["email"], "autoVerifiedAttributes": ["email"], "mfaConfiguration": "ON",
                 "mfaTypes": ["TOTP"], "passwordPolicyMinLength": 16, "allowUnauthenticatedIdentities": false}
                """,
                "amplify/backend/auth/userPoolGroups/user-pool-group-precedence.json":
                    #"[{"groupName": "Buyers", "precedence": 1}]"#,
            ], words: options),
    ]

    // MARK: Mistakes

    private static let mistakes: [(name: String, make: @Sendable (String, String) -> [String])] = [
        ("breaks off in the middle", { text, _ in [String(text.prefix(text.count / 2))] }),
        (
            "breaks off near its end",
            { text, _ in
                // In the midst of an expression: what ends behind a name may be a whole program, and nobody can tell.
                let start = text.prefix(text.count * 9 / 10)
                return start.lastIndex { "=:,([{".contains($0) }.map { [String(start[...$0])] } ?? []
            }
        ),
        ("lacks its last brace", { text, _ in text.lastIndex(of: "}").map { [text.without($0)] } ?? [] }),
        ("lacks its first brace", { text, _ in text.firstIndex(of: "{").map { [text.without($0)] } ?? [] }),
        ("is empty", { _, _ in [""] }),
        (
            "has an option too many",
            { text, file in
                file.hasSuffix(".json")
                    ? [text.replacingFirst("\": {", with: "\": {\"surplusOption\": true, ")]
                    : [text.replacingFirst("({", with: "({ surplusOption: true, ")]
            }
        ), ("throws", { text, file in file.hasSuffix(".json") ? [] : ["throw new Error('broken');\n" + text] }),
        ("throws at its end", { text, file in file.hasSuffix(".json") ? [] : [text + "\nnull.x();"] }),
        ("has a word that is none", { text, _ in [")" + text, text + "\n}"] }),
        (
            "has a value of another type",
            { text, _ in
                ["true", "false"].flatMap {
                    [text.replacingAll($0, with: "\"perhaps\""), text.replacingAll($0, with: "[]")]
                }
            }
        ),
    ]

    /// The words of the file with two letters swapped, and with one too many, one at a time.
    private static func misspelled(_ text: String, _ words: [String]) -> [String] {
        words.filter { text.contains($0) }.flatMap { word -> [String] in
            var letters = Array(word)
            letters.swapAt(1, 2)
            return [String(letters), word + "s"].filter { $0 != word }.map { text.replacingAll(word, with: $0) }
        }
    }

    @Test("allows no more than the whole one, or does not start", arguments: projects)
    func allowsNoMore(project: Project) throws {
        let whole = try #require(try Allowed.of(project.files), "the project itself is refused")
        #expect(whole.isNoMore(than: whole))
        for (file, text) in project.files.sorted(by: { $0.key < $1.key }) {
            var broken = Self.mistakes.flatMap { mistake in mistake.make(text, file).map { (mistake.name, $0) } }
            broken += Self.misspelled(text, project.words).map { ("is misspelled", $0) }
            for (name, text) in broken where text != project.files[file] {
                var files = project.files
                files[file] = text
                // Nil: the start is refused.
                guard let allowed = try Allowed.of(files) else { continue }
                #expect(allowed.isNoMore(than: whole), "\(file) \(name):\n\(text)\n\(allowed)\n\(whole)")
            }
        }
    }

    @Test("that is refused closes the pool, whoever asks for its settings", arguments: projects)
    func isClosed(project: Project) throws {
        let file = try #require(
            project.files.keys.sorted().first { $0.hasSuffix("resource.ts") || $0.hasSuffix("s.json") })
        var files = project.files
        files[file] = file.hasSuffix(".json") ? "[]" : "const = ;"
        let (resources, configuration) = try Allowed.taken(files)
        guard let resources, let configuration else { return }
        #expect(resources.isRefused && resources.storage == .refused)
        #expect(!configuration.signIn.pool.allowsSelfSignUp && !configuration.signIn.pool.allowsGuests)
        #expect(configuration.signIn.app?.flows == [])
    }
}

/// What a project lets people do.
private struct Allowed {
    let signUp: Bool
    let guests: Bool
    let secondFactor: Int
    let passwordLength: Int
    let flows: Set<AppClient.Flow>
    let writes: Bool
    let provedFirst: Set<String>
    let recovery: Set<String>
    /// Of whom, what and where.
    let files: Set<String>

    /// Nil: the start is refused.
    static func of(_ files: [String: String]) throws -> Allowed? {
        let (resources, configuration) = try taken(files)
        guard let resources, let configuration, !resources.isRefused else { return nil }
        return try Allowed(configuration, resources)
    }

    static func taken(_ files: [String: String]) throws -> (Project?, Configuration?) {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let resources: Project
        if files.keys.contains(where: { $0.hasSuffix(".ts") }) {
            let surroundings = ProgramSurroundings(
                currentFolder: folder.path, environment: [:],
                exists: { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)") }, console: { _ in },
                load: { name in FileManager.default.contents(atPath: "\(folder.path)/\(name)").map { Array($0) } })
            resources = Project.read("amplify", in: surroundings)
        } else {
            guard let project = try? Project(version1: "\(folder.path)/amplify/backend", hasSchema: false) else {
                return (nil, nil)
            }
            resources = project
        }
        let configuration = try ConfigurationResolver.resolve(
            file: nil, options: [:], environment: ["HOMEPORT_DATA": folder.file("data")]
        ).taking(resources).configuration
        return (resources, configuration)
    }

    private init(_ configuration: Configuration, _ resources: Project) throws {
        let pool = configuration.signIn.pool
        signUp = pool.allowsSelfSignUp
        guests = pool.allowsGuests
        secondFactor = [.off: 0, .optional: 1, .required: 2][pool.secondFactorDemand] ?? 0
        passwordLength = pool.password.lengthMin
        let app = configuration.signIn.app ?? AppClient("")
        flows = app.flows
        writes = app.writeAttributes?.contains("custom:role") ?? true
        provedFirst = Set(pool.addressesProvedFirst)
        recovery = pool.accountRecovery == AccountRecovery.none ? [] : ["some"]
        var files: Set<String> = []
        let keys = ["public/x", "own/me/x", "own/you/x", "protected/you/x", "private/you/x"]
        for bucket in try FilesSettings(configuration, resources.storage, nil).buckets {
            for key in keys {
                for action in [FileAction.get, .put, .delete] {
                    let people: [(String, FileCaller)] = [
                        ("guest", .guest(identity: "me")), ("user", .user(identity: "me")),
                    ]
                    for (name, who) in people where bucket.rights.allow(action, key, to: who) {
                        files.insert("\(name) \(action) \(key)")
                    }
                }
            }
        }
        self.files = files
    }

    func isNoMore(than other: Allowed) -> Bool {
        (!signUp || other.signUp) && (!guests || other.guests) && secondFactor >= other.secondFactor
            && passwordLength >= other.passwordLength && flows.isSubset(of: other.flows) && (!writes || other.writes)
            && provedFirst.isSuperset(of: other.provedFirst) && recovery.isSubset(of: other.recovery)
            && files.isSubset(of: other.files)
    }
}

extension String {
    fileprivate func without(_ index: Index) -> String { String(self[..<index]) + self[self.index(after: index)...] }

    fileprivate func replacingAll(_ word: String, with other: String) -> String {
        replacingOccurrences(of: word, with: other)
    }

    fileprivate func replacingFirst(_ word: String, with other: String) -> String {
        range(of: word).map { replacingCharacters(in: $0, with: other) } ?? self
    }
}
