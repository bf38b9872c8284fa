import Blueprint
import Files
import Foundation
import JSON
import Project
import TestSupport
import Testing

@testable import Server

@Suite("Places for files")
struct FilesSettingsTests {
    private static func configuration(_ buckets: String? = nil, in folder: TemporaryFolder) throws -> Configuration {
        var environment = [
            "HOMEPORT_DATA": folder.path, "HOMEPORT_FUNCTIONS": #"{"resize": {"url": "http://127.0.0.1:1/resize"}}"#,
        ]
        environment["HOMEPORT_FILES_BUCKETS"] = buckets
        return try ConfigurationResolver.resolve(environment: environment).configuration
    }

    private static func version1(_ text: String) throws -> ProjectStorage {
        .version1(try #require(Version1Storage(try JSONReader.value(of: Array(text.utf8)))))
    }

    @Test("without any rules are one, for whoever has signed in alone")
    func isClosedByDefault() throws {
        let folder = TemporaryFolder()
        let configuration = try Self.configuration(in: folder)
        let settings = try FilesSettings(configuration, .none, nil)
        let bucket = try #require(settings.usual)
        #expect(settings.buckets.count == 1)
        #expect(bucket.name == "files")
        #expect(bucket.rights.allow(.put, "private/r:1/x", to: .user(identity: "r:1")))
        #expect(bucket.rights.allow(.put, "public/x", to: .user(identity: "r:1")))
        for action in FileAction.allCases {
            #expect(!bucket.rights.allow(action, "public/x", to: .guest(identity: "r:1")))
            #expect(!bucket.rights.allow(action, "public/x", to: .anonymous))
        }
        #expect(settings.hosts == ["s3.localhost"])
        #expect(settings.region == "us-east-1")
        #expect(settings.groups.isEmpty)
    }

    @Test("are called the same after every start, and otherwise in another folder")
    func keepTheirNames() throws {
        let (one, other) = (TemporaryFolder(), TemporaryFolder())
        let first = try FilesSettings(try Self.configuration(in: one), .none, nil).usual
        let second = try FilesSettings(try Self.configuration(in: one), .none, nil).usual
        let third = try FilesSettings(try Self.configuration(in: other), .none, nil).usual
        let name = try #require(first?.bucketName)
        #expect(name.hasPrefix("amplify-files-"))
        #expect(BucketNaming.isOne(name))
        #expect(second?.bucketName == name)
        #expect(third?.bucketName != name)
        // Another name of the pool is no reason for another name of the bucket.
        var renamed = try Self.configuration(in: one)
        renamed.signIn.region = "eu-west-1"
        renamed.signIn.userPoolID = "eu-west-1_abcDEF123"
        #expect(try FilesSettings(renamed, .none, nil).usual?.bucketName == name)
    }

    @Test("of the configuration have rules of either form")
    func areConfigured() throws {
        let folder = TemporaryFolder()
        let configuration = try Self.configuration(
            #"""
            [{"name": "levels", "bucketName": "my-levels", "authenticated": ["read"], "guests": ["create"], "groups": {"g": ["delete"]}},
             {"name": "paths", "default": true, "onUpload": "resize", "onDelete": "http://x/y",
              "paths": {"own/{entity_id}/*": {"owner": ["write"], "groups": {"h": ["read"]}, "functions": {"resize": ["get"]}}}}]
            """#, in: folder)
        let settings = try FilesSettings(configuration, .refused, nil)
        #expect(settings.buckets.map(\.name) == ["levels", "paths"])
        #expect(settings.usual?.name == "paths")
        #expect(settings.groups == Set(texts: ["g", "h"]))
        let (levels, paths) = (settings.buckets[0], settings.buckets[1])
        #expect(levels.bucketName == "my-levels")
        #expect(levels.rights.allow(.get, "public/x", to: .user(identity: "i")))
        #expect(!levels.rights.allow(.put, "public/x", to: .user(identity: "i")))
        #expect(levels.rights.allow(.put, "public/x", to: .guest(identity: "i")))
        #expect(levels.rights.allow(.delete, "any", to: .member(group: "g", identity: "i")))
        #expect(paths.rights.allow(.put, "own/i/x", to: .user(identity: "i")))
        #expect(!paths.rights.allow(.put, "own/j/x", to: .user(identity: "i")))
        #expect(paths.rights.allow(.get, "own/j/x", to: .function(name: "resize")))
        #expect(paths.rights.allow(.list, "own/", to: .member(group: "h", identity: "i")))
        #expect(paths.listeners.map(\.url) == ["http://127.0.0.1:1/resize", "http://x/y"])
        #expect(paths.listeners.map(\.events) == [["ObjectCreated:*"], ["ObjectRemoved:*"]])
    }

    @Test("of a Gen 1 project have what was chosen there")
    func areOfVersion1() throws {
        let folder = TemporaryFolder()
        let project = try Self.version1(
            #"""
            {"resourceName": "gardenfiles", "bucketName": "gardenzi54a7ep", "storageAccess": "authAndGuest", "guestAccess": ["READ"],
             "authAccess": ["CREATE_AND_UPDATE", "READ"], "groupAccess": {"editors": ["DELETE"]}, "triggerFunction": "resize"}
            """#)
        let settings = try FilesSettings(try Self.configuration(in: folder), project, nil)
        let bucket = try #require(settings.usual)
        #expect(bucket.name == "gardenfiles")
        #expect(bucket.rights.allow(.get, "public/x", to: .guest(identity: "i")))
        #expect(!bucket.rights.allow(.put, "public/x", to: .guest(identity: "i")))
        #expect(bucket.rights.allow(.put, "private/i/x", to: .user(identity: "i")))
        #expect(!bucket.rights.allow(.delete, "private/i/x", to: .user(identity: "i")))
        #expect(bucket.rights.allow(.delete, "x", to: .member(group: "editors", identity: "i")))
        #expect(settings.groups == ["editors"])
        #expect(bucket.listeners.map(\.url) == ["http://127.0.0.1:1/resize", "http://127.0.0.1:1/resize"])
    }

    @Test("of a Gen 1 project of the first years have what its template is given")
    func areOfFirstYears() throws {
        let folder = TemporaryFolder()
        let own = "\(folder.path)/amplify/backend/storage/gardenfiles"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        try Data(
            #"""
            {"bucketName": "gardenzi54a7ep", "selectedGuestPermissions": ["s3:GetObject", "s3:ListBucket"],
             "selectedAuthenticatedPermissions": ["s3:PutObject", "s3:GetObject", "s3:ListBucket"],
             "s3PermissionsAuthenticatedPublic": "s3:PutObject,s3:GetObject", "s3PermissionsGuestPublic": "DISALLOW",
             "GuestAllowList": "DISALLOW", "triggerFunction": "NONE"}
            """#.utf8
        ).write(to: URL(filePath: "\(own)/parameters.json"))
        try Data(#"{"groupPermissionMap": {"editors": ["s3:GetObject", "s3:DeleteObject"]}}"#.utf8)
            .write(to: URL(filePath: "\(own)/storage-params.json"))
        try Data(#"{"storage": {"gardenfiles": {"service": "S3"}}}"#.utf8)
            .write(to: URL(filePath: "\(folder.path)/amplify/backend/backend-config.json"))
        let storage = try #require(try Project(version1: "\(folder.path)/amplify/backend").version1?.storage)
        #expect(storage.name == "gardenfiles" && storage.bucketName == "gardenzi54a7ep" && storage.trigger == nil)
        #expect(storage.users == [.create, .read])
        // What was chosen for guests before they were shut out does not count.
        #expect(storage.guests.isEmpty)
        #expect(storage.groups.map(\.name) == ["editors"])
        #expect(storage.groups.map(\.permissions) == [[.read, .delete]])
    }

    @Test("of a Gen 1 project for signed-in users alone give guests nothing, whatever was chosen before")
    func ignoresLeftovers() throws {
        let folder = TemporaryFolder()
        let project = try Self.version1(
            #"{"resourceName": "f", "bucketName": "b", "storageAccess": "auth", "guestAccess": ["READ"], "authAccess": ["READ"]}"#
        )
        let bucket = try #require(try FilesSettings(try Self.configuration(in: folder), project, nil).usual)
        #expect(!bucket.rights.allow(.get, "public/x", to: .guest(identity: "i")))
        #expect(bucket.rights.allow(.get, "public/x", to: .user(identity: "i")))
        // The files of tables lie in the same folder.
        #expect(Version1Storage(["resourceName": "plants", "tableName": "plants"]) == nil)
    }

    @Test("of a project that is refused are none")
    func areRefused() throws {
        let settings = try FilesSettings(try Self.configuration(in: TemporaryFolder()), .refused, nil)
        #expect(settings.buckets.isEmpty)
        #expect(settings.usual == nil)
    }

    @Test(
        "that cannot be meant so refuse the start",
        arguments: [
            (#"[{"name": "a"}, {"name": "b"}]"#, "of several buckets one is the default; 0 are"),
            (
                #"[{"name": "a", "default": true}, {"name": "b", "default": true}]"#,
                "of several buckets one is the default; 2 are"
            ),
            (#"[{"name": "a", "default": true}, {"name": "a"}]"#, "a is there twice"),
            (
                #"[{"name": "a", "default": true, "bucketName": "same"}, {"name": "b", "bucketName": "same"}]"#,
                "b is there twice"
            ),
            (#"[{"name": "a", "guests": ["read"], "paths": {}}]"#, "rules of both forms"),
            (#"[{"name": "a", "paths": {"/x/*": {}}}]"#, "must not start with"),
            (#"[{"name": "a", "paths": {"x": {}}}]"#, "must end with"),
            (#"[{"name": "a", "paths": {"x/*": {}, "x/{entity_id}/*": {}}}]"#, "cannot be a prefix of another path"),
            (#"[{"name": "a", "onUpload": "nobody"}]"#, "there is no function nobody"),
            (#"[{"name": ""}]"#, "a bucket needs a name"),
        ])
    func refusesStart(buckets: String, message: String) throws {
        let configuration = try Self.configuration(buckets, in: TemporaryFolder())
        do throws(StartError) {
            _ = try FilesSettings(configuration, .none, nil)
            Issue.record("accepted")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
            #expect(error.code == .configuration)
        }
    }

    @Test(
        "are called as S3 allows it, and unlike a path of the server",
        arguments: [
            ("photos", true), ("my.photos-1", true), ("abc", true), (String(repeating: "a", count: 63), true),
            ("ab", false), (String(repeating: "a", count: 64), false), ("Photos", false), ("a_b", false),
            ("-ab", false), ("ab-", false), (".ab", false), ("a..b", false), ("a.-b", false), ("1.2.3.4", false),
            ("graphql", false), ("oauth2", false), ("login", false), ("health", false), ("metrics", false),
            (".well-known", false), ("us-east-1_abcDEF123", false), ("phötos", false), ("", false),
        ])
    func checksNames(name: String, isGood: Bool) {
        #expect(BucketNaming.isOne(name) == isGood)
    }

    @Test(
        "get names that requests can use, whatever apps call them",
        arguments: ["", "Ä", "My Photos!", String(repeating: "X", count: 300)])
    func makesNames(name: String) {
        let made = BucketNaming.usual(for: name, seed: [1, 2, 3])
        #expect(BucketNaming.isOne(made), "\(made)")
        #expect(made != BucketNaming.usual(for: name + "2", seed: [1, 2, 3]))
    }
}
