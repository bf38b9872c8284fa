import Foundation
import JSON
import TestSupport
import Testing

@testable import Server

@Suite("homeport move-in and move-out of files and identities")
struct FilesMoveTests {
    private static let ann = "11111111-2222-4333-8444-555555555555"
    private static let identity = "us-east-1:99999999-2222-4333-8444-555555555555"

    private func filled() throws -> MoveWorld {
        let world = try MoveWorld()
        try world.folder.write("hello\n", to: "files/private/\(Self.identity)/a b.txt")
        try world.folder.write("<p>", to: "files/public/é.html")
        try world.folder.write(
            #"{"Key":"private/\#(Self.identity)/a b.txt","ETag":"\"b1946ac92492d2347c6235b4d2611184\"","ContentType":"text/plain","CacheControl":"max-age=60","Metadata":{"author":"ann"},"LastModified":"2026-01-02T03:04:05+00:00"}"#
                + "\n", to: "files.jsonl")
        try world.folder.write(
            #"{"Users":[{"Username":"ann","Attributes":[{"Name":"sub","Value":"\#(Self.ann)"}],"UserStatus":"CONFIRMED"}]}"#,
            to: "people/users.json")
        return world
    }

    private func moveIn(_ world: MoveWorld, data: String = "data", _ pairs: String, files: String = "files") throws
        -> MoveWorld.Said
    {
        try world.folder.write(pairs, to: "pairs")
        return try world.moveIn(data: data) {
            $0.tables = []
            $0.users = [world.folder.file("people")]
            $0.identities = [world.folder.file("pairs")]
            $0.files = [world.folder.file(files)]
        }
    }

    @Test("brings files with types and metadata, and their owners keep them; out again they are the same")
    func roundTrip() throws {
        let world = try filled()
        let said = try moveIn(world, "\(Self.ann),\(Self.identity)\n")
        #expect(said.code == .success, "\(said.all)")
        #expect(said.output.contains("1 user got their identity"), "\(said.all)")
        #expect(said.output.contains("2 files came"), "\(said.all)")
        #expect(said.diagnostics.contains("1 file without a content type"), "\(said.all)")
        let again = try moveIn(world, "sub,identity\n\(Self.ann),\(Self.identity)\n")
        #expect(again.output.contains("0 files came, 2 were there already"), "\(again.all)")
        #expect(again.output.contains("1 had it already"), "\(again.all)")

        let wish = MoveOutCommand.Wish(world.folder.file("away"))
        let resolution = try world.resolution()
        let out = world.said { MoveOutCommand.run(resolution, wish, $0) }
        #expect(out.code == .success, "\(out.all)")
        let bucket = try #require(
            try FileManager.default.contentsOfDirectory(atPath: world.folder.file("away/files")).first {
                !$0.hasSuffix(".jsonl")
            })
        let place = "away/files/\(bucket)"
        #expect(try String(contentsOfFile: world.folder.file("\(place)/public/é.html"), encoding: .utf8) == "<p>")
        let listing = try String(contentsOfFile: world.folder.file("\(place).jsonl"), encoding: .utf8)
        #expect(
            listing.contains(
                #"{"Key":"private/\#(Self.identity)/a b.txt","ContentLength":6,"ETag":"\"b1946ac92492d2347c6235b4d2611184\"","LastModified":"2026-01-02T03:04:05.000Z","ContentType":"text/plain","CacheControl":"max-age=60","Metadata":{"author":"ann"}}"#
            ), "\(listing)")
        let pairs = try String(contentsOfFile: world.folder.file("away/identities.csv"), encoding: .utf8)
        #expect(pairs == "\(Self.ann),\(Self.identity)\n")
        let back = try moveIn(world, data: "second", pairs, files: place)
        #expect(back.code == .success, "\(back.all)")
        let second = MoveOutCommand.Wish(world.folder.file("again"))
        let other = try world.resolution(data: "second")
        #expect(world.said { MoveOutCommand.run(other, second, $0) }.code == .success)
        let listings = try FileManager.default.contentsOfDirectory(atPath: world.folder.file("again/files")).filter {
            $0.hasSuffix(".jsonl")
        }
        #expect(
            try listings.map { try String(contentsOfFile: world.folder.file("again/files/\($0)"), encoding: .utf8) }
                == [listing])
    }

    static let pairs: [(text: String, reason: String)] = [
        ("bob,\(identity)", "there is no user bob"),
        ("\(ann),eu-west-1:99999999-2222-4333-8444-555555555555", "set auth.pool.identityPoolId to the old pool's id"),
        ("\(ann),\(identity)\nann,us-east-1:88888888-2222-4333-8444-555555555555", "the user ann has the identity"),
        ("x,y:z\n\(ann)", "expected a sub, a comma and an identity"),
        (#"{"\#(ann)":7}"#, "expected sub and identityId"),
    ]

    @Test("lists pairs that cannot be", arguments: pairs)
    func faults(text: String, reason: String) throws {
        let world = try filled()
        let said = try moveIn(world, text)
        #expect(said.code == .failure)
        #expect(said.diagnostics.contains(reason), "\(said.all)")
    }

    @Test("names identities that files belong to and nobody has")
    func strangers() throws {
        let world = try filled()
        let said = try moveIn(
            world, #"{"sub":"\#(Self.ann)","identityId":"us-east-1:88888888-2222-4333-8444-555555555555"}"#)
        #expect(said.code == .success, "\(said.all)")
        #expect(said.diagnostics.contains("\(Self.identity): files belong to this identity"), "\(said.all)")
    }

    @Test("refuses a file that is not the one of its listing, and a bucket that is not there")
    func listings() throws {
        let world = try filled()
        try world.folder.write(
            #"{"Key":"public/é.html","ETag":"\"00000000000000000000000000000000\""}"# + "\n", to: "files.jsonl")
        let said = try moveIn(world, "")
        #expect(said.code == .failure)
        #expect(said.diagnostics.contains("its MD5 is not 00000000000000000000000000000000"), "\(said.all)")
        let other = try world.moveIn {
            $0.tables = []
            $0.files = ["\(world.folder.file("files")):nowhere"]
        }
        #expect(other.diagnostics.contains("there is no bucket nowhere"), "\(other.all)")
        let missing = try world.moveIn {
            $0.tables = []
            $0.files = ["/nowhere"]
        }
        #expect(missing.diagnostics.contains("/nowhere: it is no folder"), "\(missing.all)")
    }
}
