import Access
import Engine
import Files
import GraphQL
import JSON
import Network
import Outbox
import Realtime
import UserPool

/// The server, as the console needs it: what is served, and what is known of it.
package protocol ConsoleHost: AnyObject, Sendable {
    /// The API that is served.
    var engine: Engine { get }
    /// The API as a loop has it, with what it has to answer operations.
    func api(on loop: EventLoop) -> (engine: Engine, shard: EngineShard)
    /// Another text when another API is served.
    var schemaVersion: String { get }
    /// The files of the schema, and its API as SDL that stands by itself. Reads files: not on a loop.
    func schemaTexts() -> (sources: [Source], api: String)

    var realtime: Realtime { get }
    /// Nil where the API's users are somebody else's.
    var pool: UserPool? { get }
    func poolShard(on loop: EventLoop) -> PoolShard
    var outbox: Outbox { get }
    var files: FileService { get }

    /// The functions that this server runs, with what is counted of their calls.
    var functionList: [JSONObject] { get }
    /// A function with its newest calls and lines; nil: there is none of that name.
    func function(_ name: String) -> JSONObject?
    /// Calls a function with an event, and waits for what comes of it; nil: there is none of that name.
    func invoke(_ name: String, _ event: [UInt8]) async throws(ConsoleError) -> JSONObject?
    /// Calls a service as an administrator does.
    func call(
        _ service: ConsoleService, _ operation: String, _ input: JSONValue, on loop: EventLoop
    ) async throws(ConsoleError) -> JSONObject

    /// Who shows that as `authorization`.
    func recognise(_ authorization: String, on loop: EventLoop) async -> Result<Identity, Refusal>

    /// The members of `info` that the server knows: address, schema, warnings, disk, memory, rooms.
    func information(on loop: EventLoop) async -> JSONObject
    /// The same of `server`: the configuration with where it comes from, paths, process.
    func serverDescription(on loop: EventLoop) async -> JSONObject
    /// Writes a backup of everything that the server keeps into a file. Takes its time: not on a loop.
    func writeBackup(to path: String) throws(ConsoleError)
    /// The settings that there are.
    var settingNames: [(name: String, purpose: String)] { get }
    /// The newest lines of the log behind one that is known. They are kept while somebody asks.
    func logLines(after number: Int64, max: Int) -> JSONObject
    /// The operation of the API that an outline's note is about.
    func operation(_ outline: RequestOutline) -> RequestOutline.Operation?
    /// What is counted at this moment.
    func sample() async -> ServerSample
}

/// What the server has counted up to a moment.
package struct ServerSample: Sendable {
    package var requests: UInt64 = 0
    package var errors: UInt64 = 0
    package var subscribers = 0
    package var connections = 0
    package var residentBytes: Int64?
    package var databaseBytes: Int64?
    /// Requests by how long they took: the upper bounds in microseconds, and beyond the last.
    package var durations: [(boundMicroseconds: UInt64, count: UInt64)] = []

    package init() {}
}
