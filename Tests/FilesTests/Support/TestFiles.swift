import Access
import Blueprint
import Crypto
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Files

/// A store of files on a server of its own, over a folder that goes with it.
final class TestFiles: Sendable {
    /// What a request says of its body, as all clients do that delete many at once.
    static func digest(of body: [UInt8]) -> (String, String) {
        ("content-md5", Checksum.text(of: ChecksumStream.sum(.md5, of: body)))
    }

    let service: FileService
    let store: Store
    let path: String
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let shards: [FileShard]

    static let bucket = "test-files"
    static let now: Int64 = 1_800_000_000

    /// Who calls, by their access key; the secret is the same text.
    enum Key: String, CaseIterable {
        case administrator = "ADMIN"
        case ann = "ANN"
        case bob = "BOB"
        case guest = "GUEST"

        var principal: IAMPrincipal {
            switch self {
            case .administrator: IAMPrincipal(role: .administrator, accessKeyID: rawValue)
            case .ann, .bob: IAMPrincipal(role: .authenticated, accessKeyID: rawValue, identityID: identity)
            case .guest: IAMPrincipal(role: .unauthenticated, accessKeyID: rawValue, identityID: identity)
            }
        }

        var identity: String { "us-east-1:\(rawValue.lowercased())" }
    }

    private struct Application: HTTPApplication {
        let service: FileService
        let shards: [FileShard]

        func receive(
            _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
        ) -> HTTPReception {
            guard service.isMeant(head) else { return .answer(HTTPResponse(status: .notFound)) }
            guard head.method != .options else { return .answer(service.preflight(head)) }
            return service.reception(head, from: .thisMachine) { [shards] in shards[$0.index] }
        }

        func answer(to error: HTTPParseError, for head: HTTPRequestHead?) -> HTTPResponse {
            head.map { service.refusal(error.status, error.description, $0) } ?? HTTPResponse(status: error.status)
        }
    }

    /// - Parameters:
    ///   - folder: one that was used before, with its database.
    ///   - location: the database, where it is none of the folder's.
    ///   - signatures: who may sign, where that is none of `Key`.
    init(
        in folder: TemporaryFolder = TemporaryFolder(), at location: Store.Location? = nil,
        clock: @escaping @Sendable () -> Int64 = { TestFiles.now * 1_000 },
        signatures: FileSignatures? = nil,
        _ change: (inout FileSettings) -> Void = { _ in }
    ) async throws {
        self.folder = folder
        path = folder.path + "/files"
        let reading = SDLReader.read("type Song @model { id: ID! }", settings: Settings())
        store = try Store(
            location ?? TestDatabase.location(file: folder.path + "/data.sqlite"), for: try #require(reading.blueprint),
            nowMilliseconds: 0
        ) { error in Issue.record("the store failed: \(error.message)") }
        var settings = FileSettings()
        settings.buckets = [ByteText(Self.bucket): Version1Rights(users: .all, guests: .read)]
        settings.usualBucket = Self.bucket
        settings.freeBytesMin = 0
        change(&settings)
        let credentials = Key.allCases.map { PrincipalCredential(secret: $0.rawValue, principal: $0.principal) }
        service = FileService(
            settings, over: store, in: path,
            signatures
                ?? FileSignatures(credentials + [FileLinks(store).credential], nil, region: "us-east-1"),
            caller: { principal in
                switch (principal.role, principal.identityID) {
                case (.administrator, _): .administrator
                case (.authenticated, let identity?): .user(identity: identity)
                case (.unauthenticated, let identity?): .guest(identity: identity)
                default: nil
                }
            }, report: { Issue.record("reported: \($0)") }, clock: clock)
        let shards = [FileShard(), FileShard()]
        self.shards = shards
        server = try await LoopbackServer(loops: shards.count) { [service] _ in
            Application(service: service, shards: shards)
        }
    }

    var port: UInt16 { server.port }
    var loop: EventLoop { server.group.loops[0] }

    /// The processor time that all loops have had, in milliseconds, as in a release build.
    func loopMilliseconds() async -> Double {
        var all: Int64 = 0
        for loop in server.group.loops { all += await loop.run { HeldTime.threadNanoseconds } }
        return Double(all) / 1_000_000 / HeldTime.factor
    }

    /// Stops in order, as the program does.
    func stop() async throws {
        await server.stop()
        // Nothing runs on the loops any more.
        for shard in shards { shard.close() }
        service.close()
        try store.close()
    }

    /// The files below `objects/` and `incoming/`.
    var filesOnDisk: [String] {
        var files: [String] = []
        func collect(_ folder: String) {
            for name in FolderContent.names(in: folder) {
                let path = "\(folder)/\(name)"
                if FileStatus.isFolder(path) { collect(path) } else { files.append(path) }
            }
        }
        collect(path)
        return files
    }
}
