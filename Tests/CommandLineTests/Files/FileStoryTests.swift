import Foundation
import JSON
import TestSupport
import Testing

/// What an app does that keeps pictures beside its records: songs have one cover, albums many images. From the sign-up of its users to
/// the last delete, each step over a socket of a real server.
@Suite("Files that belong to records")
struct FileStoryTests {
    @Test("are put, found by their records, let go of and removed, and are nobody else's all the time")
    func story() async throws {
        try await BlockingThread.run {
            let story = FileStory(try FileUsers())
            let song = try story.makesSongWithCover()
            try story.showsTheCover(of: song)
            try story.changesTheCover(of: song)
            let album = try story.makesAlbumWithImages()
            try story.showsTheImages(of: album)
            try story.keepsOthersAway(song, album)
            try story.letsGoOfAnImage(of: album)
            try story.letsGoOfTheCover(of: song)
            try story.removesAnImage(of: album)
            try story.removesBoth(song, album)
            try story.leavesNothing()
        }
    }
}

private struct FileStory {
    struct Album {
        let id: String
        var images: [String]
    }

    private let users: FileUsers
    private var ann: FileUsers.Person { users.ann }

    init(_ users: FileUsers) { self.users = users }

    private static func image(_ number: Int) -> [UInt8] { FileUsers.picture + Array("image \(number)".utf8) }

    // MARK: A song and its cover

    func makesSongWithCover() throws -> String {
        let made = try users.record("mutation { createSong(input: { name: \"Anthem\" }) { id coverArtKey } }")
        let id = try #require(made?["id"]?.string)
        #expect(made?["coverArtKey"] == .null)
        // By a link, with the type in a field that is not signed: so the library for Swift uploads.
        let put = try ann.calls.send(
            "PUT", ann.calls.link("PUT", ann.path(id)), ["content-type": "image/png"], FileUsers.picture)
        #expect(put.status == 200)
        #expect(put.tag == "\"\(FileUsers.digest(FileUsers.picture))\"")
        let changed = try setCover(of: id, to: .string(ann.key(id)))
        #expect(changed == .string(ann.key(id)))
        return id
    }

    func showsTheCover(of song: String) throws {
        let key = try #require(try cover(of: song)?.string)
        let path = FileUsers.path(key)
        let got = try ann.calls.send("GET", ann.calls.link("GET", path))
        #expect(got.status == 200 && got.bytes == FileUsers.picture)
        #expect(got.fields["content-type"] == "image/png")
        #expect(try ann.calls.call("HEAD", path).fields["content-length"] == "\(FileUsers.picture.count)")
    }

    func changesTheCover(of song: String) throws {
        #expect(try ann.calls.call("PUT", ann.path(song), body: Self.image(0)).status == 200)
        #expect(try ann.calls.call("GET", ann.path(song)).bytes == Self.image(0))
        #expect(try cover(of: song) == .string(ann.key(song)))
    }

    func letsGoOfTheCover(of song: String) throws {
        #expect(try setCover(of: song, to: .null) == .null)
        #expect(try cover(of: song) == .null)
        // The file stays until it is removed itself.
        #expect(try ann.calls.call("GET", ann.path(song)).bytes == Self.image(0))
    }

    private func cover(of song: String) throws -> JSONValue? {
        try users.record("{ getSong(id: \"\(song)\") { coverArtKey } }")?["coverArtKey"]
    }

    private func setCover(of song: String, to key: JSONValue) throws -> JSONValue? {
        try users.record(
            "mutation Change($input: UpdateSongInput!) { updateSong(input: $input) { id name coverArtKey owner } }",
            ["input": ["id": .string(song), "coverArtKey": key]])?["coverArtKey"]
    }

    // MARK: An album and its images

    func makesAlbumWithImages() throws -> Album {
        let made = try users.record("mutation { createPhotoAlbum(input: { name: \"Summer\" }) { id } }")
        let id = try #require(made?["id"]?.string)
        var images: [String] = []
        for number in 1...3 {
            let name = "\(id)-\(UUID().uuidString.lowercased())"
            let put = try ann.calls.call("PUT", ann.path(name), ["content-type": "image/png"], body: Self.image(number))
            #expect(put.status == 200)
            images.append(ann.key(name))
        }
        #expect(try setImages(of: id, to: images) == images)
        return Album(id: id, images: images)
    }

    func showsTheImages(of album: Album) throws {
        let found = try users.record("{ getPhotoAlbum(id: \"\(album.id)\") { imageKeys } }")?["imageKeys"]?.array
        #expect(found?.compactMap(\.string) == album.images)
        for (number, key) in zip(1..., album.images) {
            #expect(try ann.calls.call("GET", FileUsers.path(key)).bytes == Self.image(number))
        }
        #expect(try users.keys(ann.key("\(album.id)-")) == album.images.sorted())
    }

    func letsGoOfAnImage(of album: Album) throws {
        #expect(try setImages(of: album.id, to: Array(album.images.dropFirst())) == Array(album.images.dropFirst()))
        #expect(try ann.calls.call("GET", FileUsers.path(album.images[0])).bytes == Self.image(1))
        #expect(try setImages(of: album.id, to: nil) == nil)
        #expect(try users.keys(ann.key("\(album.id)-")).count == album.images.count)
        #expect(try setImages(of: album.id, to: album.images) == album.images)
    }

    func removesAnImage(of album: Album) throws {
        let path = FileUsers.path(album.images[0])
        #expect(try ann.calls.call("DELETE", path).status == 204)
        let gone = try ann.calls.call("GET", path)
        #expect(gone.status == 404 && gone.code == "NoSuchKey")
        #expect(try setImages(of: album.id, to: Array(album.images.dropFirst())) == Array(album.images.dropFirst()))
        #expect(try users.keys(ann.key("\(album.id)-")) == album.images.dropFirst().sorted())
    }

    private func setImages(of album: String, to keys: [String]?) throws -> [String]? {
        let value = keys.map { JSONValue.array($0.map { .string($0) }) } ?? .null
        let changed = try users.record(
            "mutation Change($input: UpdatePhotoAlbumInput!) { updatePhotoAlbum(input: $input) { id imageKeys owner } }",
            ["input": ["id": .string(album), "imageKeys": value]])
        return changed?["imageKeys"]?.array?.compactMap(\.string)
    }

    // MARK: Others, and the end

    func keepsOthersAway(_ song: String, _ album: Album) throws {
        for (person, isUser) in [(users.bob, true), (users.guest, false)] {
            for key in [ann.key(song)] + album.images {
                let path = FileUsers.path(key)
                for method in ["GET", "HEAD", "PUT", "DELETE"] {
                    #expect(try person.calls.call(method, path).status == 403, "\(method)")
                    #expect(try person.calls.send(method, person.calls.link(method, path)).status == 403, "\(method)")
                }
            }
            #expect(try person.calls.call("GET", FileUsers.list(ann.key(""))).code == "AccessDenied")
            if isUser {
                #expect(try users.record("{ getSong(id: \"\(song)\") { id } }", as: person)?.isNull != false)
            }
        }
        // None of it has come to anything.
        #expect(try ann.calls.call("GET", ann.path(song)).bytes == Self.image(0))
        try showsTheImages(of: album)
    }

    func removesBoth(_ song: String, _ album: Album) throws {
        let keys = try users.keys(ann.key("\(album.id)-")) + [ann.key(song)]
        let list = keys.map { "<Object><Key>\($0)</Key></Object>" }.joined()
        let body = Array("<Delete>\(list)</Delete>".utf8)
        let removed = try ann.calls.call("POST", "/\(FileUsers.bucket)?delete=", FileUsers.sum(of: body), body: body)
        #expect(removed.status == 200 && removed.elements("Key") == keys)
        for (query, id) in [("deletePhotoAlbum", album.id), ("deleteSong", song)] {
            let gone = try users.record("mutation { \(query)(input: { id: \"\(id)\" }) { id } }")
            #expect(gone?["id"] == .string(id))
        }
        #expect(try users.record("{ getSong(id: \"\(song)\") { id } }")?.isNull != false)
        // To remove what is not there succeeds as well.
        #expect(try ann.calls.call("DELETE", ann.path(song)).status == 204)
    }

    func leavesNothing() throws {
        #expect(try users.keys(ann.key("")).isEmpty)
        try users.expectFiles(0)
    }
}
