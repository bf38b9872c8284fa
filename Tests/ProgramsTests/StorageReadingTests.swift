import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// What `defineStorage` says of files.
@Suite("Files of a Gen 2 project")
struct StorageReadingTests {
    private static let auth = """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true }, groups: ['editors', 'admins'] });
        """
    private static let usualBackend = """
        import { defineBackend } from '@aws-amplify/backend';
        import { auth } from './auth/resource';
        import { storage } from './storage/resource';
        defineBackend({ auth, storage });
        """

    private static func read(_ files: [String: String]) -> Project {
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    private static func read(_ argument: String, backend: String? = usualBackend) -> Project {
        var files = [
            "amplify/auth/resource.ts": auth,
            "amplify/storage/resource.ts": """
            import { defineFunction, defineStorage } from '@aws-amplify/backend';
            const fn = defineFunction({ name: 'resize' });
            export const storage = defineStorage(\(argument));
            """,
        ]
        files["amplify/backend.ts"] = backend
        return read(files)
    }

    private static func access(_ paths: String) -> String { "{ name: 'f', access: (allow) => ({ \(paths) }) }" }

    private static let everything = """
        {
          name: 'garden', isDefault: true, versioned: true, keepOnDelete: false,
          triggers: { onUpload: fn, onDelete: defineFunction({ entry: './gone.ts' }) },
          access: (allow) => ({
            'public/*': [allow.guest.to(['read']), allow.authenticated.to(['get', 'list', 'write', 'delete'])],
            'own/{entity_id}/*': [allow.entity('identity').to(['read', 'write']), allow.resource(fn).to(['get'])],
            'all/*': [allow.groups(['editors', 'admins']).to(['delete'])],
          }),
        }
        """

    @Test("all that defineStorage knows is read, with backend.ts and without", arguments: [usualBackend, nil])
    func readsEverything(backend: String?) throws {
        let reading = Self.read(Self.everything, backend: backend)
        #expect(reading.diagnostics.map(\.description) == [])
        #expect(reading.auth != nil)
        let storage = try #require(reading.storages.first)
        #expect(reading.storages.count == 1)
        #expect(storage.name == "garden" && storage.isDefault && storage.isVersioned)
        #expect(storage.onUpload?.givenName == "resize")
        #expect(storage.onDelete?.givenName == "gone")
        let access = try #require(storage.access)
        #expect(access.map(\.path) == ["public/*", "own/{entity_id}/*", "all/*"])
        #expect(
            access[0].rules == [
                .init(who: .guest, actions: [.read]),
                .init(who: .authenticated, actions: [.get, .list, .write, .delete]),
            ])
        #expect(access[1].rules.map(\.plainActions) == [[.get, .list, .write], [.get]])
        #expect(access[1].rules[0].who == .owner)
        guard case .function(let function) = access[1].rules[1].who else {
            Issue.record("no function")
            return
        }
        #expect(function.givenName == "resize")
        #expect(access[2].rules == [.init(who: .groups(["editors", "admins"]), actions: [.delete])])
    }

    @Test("rules may be made by a function, spread, or computed")
    func runsPrograms() throws {
        let reading = Self.read(
            """
            (() => {
              const everybody = (allow) => [allow.guest.to(['read']), allow.authenticated.to(['read'])];
              const folder = 'media';
              return { name: 'f', access: (allow) => ({ [`${folder}/*`]: everybody(allow), ...{ 'x/*': [...everybody(allow)] } }) };
            })()
            """)
        #expect(reading.diagnostics.map(\.description) == [])
        #expect(reading.storages.first?.access?.map(\.path) == ["media/*", "x/*"])
        #expect(reading.storages.first?.access?.map(\.rules.count) == [2, 2])
    }

    @Test("several places stand in the order of the backend, and those that it does not name are none")
    func ordersPlaces() {
        let reading = Self.read([
            "amplify/auth/resource.ts": Self.auth,
            "amplify/storage/resource.ts": """
            import { defineStorage } from '@aws-amplify/backend';
            export const one = defineStorage({ name: 'one', isDefault: true });
            export const two = defineStorage({ name: 'two' });
            export const three = defineStorage({ name: 'three' });
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { auth } from './auth/resource';
            import { one, two, three } from './storage/resource';
            defineBackend({ three, auth, one });
            """,
        ])
        #expect(reading.diagnostics.map(\.description) == [])
        #expect(reading.storages.map(\.name) == ["three", "one"])
        #expect(reading.storages.usual?.name == "one")
    }

    @Test(
        "what Amplify refuses is refused in its words",
        arguments: [
            ("{}", "`defineStorage` needs `name`"),
            ("'files'", "`defineStorage` takes an object"),
            ("{ name: 'f', acess: 1 }", "`defineStorage` has no `acess`"),
            ("{ name: 'f', access: {} }", "takes a function as `access`"),
            ("{ name: 'f', access: () => 1 }", "`access` gives no object"),
            ("{ name: 'f', triggers: { onUpload: 'x' } }", "takes a function of defineFunction as `onUpload`"),
            ("{ name: 'f', triggers: { onUplaod: fn } }", "`triggers` has no `onUplaod`"),
            (access("'/media/*': []"), "Storage access paths must not start with \"/\". Found [/media/*]."),
            (access("'media': []"), "Storage access paths must end with \"/*\". Found [media]."),
            (access("'media*': []"), "Storage access paths must end with \"/*\". Found [media*]."),
            (access("'a//b/*': []"), "Path cannot contain \"//\". Found [a//b/*]."),
            (access("'a/*/b/*': []"), "Wildcards are only allowed as the final part of a path. Found [a/*/b/*]."),
            (
                access("'a/*': [], 'a/b/*': [], 'a/b/c/*': []"),
                "For any given path, only one other path can be a prefix of it. Found [a/b/c/*] which has prefixes [a/*, a/b/*]."
            ),
            (
                access("'a/*': [], 'a/{entity_id}/*': []"),
                "A path cannot be a prefix of another path that contains the {entity_id} token."
            ),
            (
                access("'a/{entity_id}/{entity_id}/*': []"),
                "The {entity_id} token can only appear once in a path. Found [a/{entity_id}/{entity_id}/*]"
            ),
            (
                access("'a/{entity_id}/b/*': []"),
                "The {entity_id} token must be the path part right before the ending wildcard. Found [a/{entity_id}/b/*]."
            ),
            (
                access("'{entity_id}/*': []"),
                "The {entity_id} token must not be the first path part. Found [{entity_id}/*]."
            ),
            (
                access("'a/x{entity_id}/*': []"),
                "A path part that includes the {entity_id} token cannot include any other characters. Found [a/x{entity_id}/*]."
            ),
            (
                access("'a/*': [allow.guest.to(['read']), allow.guest.to(['write'])]"),
                "Entity access definition for guest users specified multiple times."
            ),
            (
                access("'a/*': [allow.authenticated.to(['read']), allow.authenticated.to(['write'])]"),
                "Entity access definition for authenticated users specified multiple times."
            ),
            (
                access(
                    "'a/*': [allow.groups(['editors']).to(['read']), allow.groups(['admins', 'editors']).to(['write'])]"
                ),
                "Group access definition for editors specified multiple times."
            ),
            (access("'a/*': [allow.groups(['nobody']).to(['read'])]"), "No auth IAM role found for \"nobody\"."),
            (access("'a/*': [allow.guest.to(['read', 'get'])]"), "`read` stands for `get` and `list`"),
            (access("'a/*': [allow.guest.to(['list', 'read'])]"), "`read` stands for `get` and `list`"),
            (access("'a/*': [allow.guest.to(['red'])]"), "there is no action \"red\""),
            (access("'a/*': [allow.guest.to([])]"), "At least one permission must be specified"),
            (access("'a/*': [allow.guest]"), "At least one permission must be specified"),
            (access("'a/*': [1]"), "expected a rule such as allow.guest.to(['read'])"),
            (access("'a/*': allow.guest.to(['read'])"), "a list of rules"),
            (access("'a/*': [allow.owner.to(['read'])]"), "`allow` has no `owner`"),
            (access("'a/*': [allow.entity('group').to(['read'])]"), "`entity` takes 'identity'"),
            (access("'a/*': [allow.resource('x').to(['read'])]"), "`resource` takes a function of defineFunction"),
        ])
    func refuses(argument: String, message: String) {
        let reading = Self.read(argument)
        #expect(reading.isRefused)
        #expect(reading.storages.isEmpty)
        #expect(
            reading.diagnostics.contains { $0.isError && $0.message.contains(message) },
            "\(reading.diagnostics.map(\.description))")
    }

    @Test(
        "what does not go together in a project is refused",
        arguments: [
            ("['a', 'b'].map((name) => defineStorage({ name }))", "No default storage set in the Amplify project."),
            (
                "['a', 'b'].map((name) => defineStorage({ name, isDefault: true }))",
                "More than one default storage set in the Amplify project."
            ),
            ("['a', 'a'].map((name) => defineStorage({ name }))", "There is already a Construct with name 'a'"),
        ])
    func refusesTogether(places: String, message: String) {
        let reading = Self.read([
            "amplify/storage/resource.ts": """
            import { defineStorage } from '@aws-amplify/backend';
            export const [one, two] = \(places);
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { one, two } from './storage/resource';
            defineBackend({ one, two });
            """,
        ])
        #expect(
            reading.diagnostics.contains { $0.isError && $0.message.contains(message) },
            "\(reading.diagnostics.map(\.description))")
    }

    @Test("rules for people need sign-in, and those for functions do not")
    func needsSignIn() {
        func reading(_ rule: String) -> Project {
            Self.read([
                "amplify/storage/resource.ts": """
                import { defineFunction, defineStorage } from '@aws-amplify/backend';
                const fn = defineFunction({ name: 'resize' });
                export const storage = defineStorage({ name: 'f', access: (allow) => ({ 'a/*': [\(rule).to(['read'])] }) });
                """,
                "amplify/backend.ts": """
                import { defineBackend } from '@aws-amplify/backend';
                import { storage } from './storage/resource';
                defineBackend({ storage });
                """,
            ])
        }
        for (rule, role) in [
            ("allow.guest", "unauthenticatedUserIamRole"), ("allow.authenticated", "authenticatedUserIamRole"),
            ("allow.entity('identity')", "authenticatedUserIamRole"), ("allow.groups(['g'])", "g"),
        ] {
            let message = "Cannot specify auth access for \(role) users without defining auth."
            let found = reading(rule)
            #expect(
                found.diagnostics.contains { $0.isError && $0.message.contains(message) },
                "\(rule): \(found.diagnostics.map(\.description))")
        }
        #expect(reading("allow.resource(fn)").diagnostics.map(\.description) == [])
        #expect(reading("allow.resource(fn)").storages.count == 1)
    }

    @Test("a place that is defined elsewhere is refused")
    func refusesOtherFiles() {
        let reading = Self.read([
            "amplify/files/resource.ts": """
            import { defineStorage } from '@aws-amplify/backend';
            export const storage = defineStorage({ name: 'alpha' });
            """,
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend';
            import { storage } from './files/resource';
            defineBackend({ storage });
            """,
        ])
        #expect(
            reading.diagnostics.map(\.message) == ["Amplify Storage must be defined in amplify/storage/resource.ts"])
    }
}
