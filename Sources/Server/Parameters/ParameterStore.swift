import Glibc
import JSON
import Network
import Synchronization

/// The parameters and secrets that were put, in a file of the data folder that nobody but its owner reads. A server that keeps no data
/// keeps none of them.
///
/// Waits for the disk: not on a loop.
final class ParameterStore: Sendable {
    /// The parameters and secrets, as the file has them.
    struct Content: Sendable, Equatable {
        var parameters: [ByteText: JSONObject] = [:]
        var secrets: [ByteText: JSONObject] = [:]

        init() {}

        /// Nil where it is not what this server writes.
        init?(_ json: JSONValue?) {
            guard let parameters = json?["parameters"]?.object, let secrets = json?["secrets"]?.object else {
                return nil
            }
            self.parameters = ParameterStore.byName(parameters)
            self.secrets = ParameterStore.byName(secrets)
        }

        /// As the file has it.
        var json: JSONValue {
            ["parameters": ParameterStore.json(parameters), "secrets": ParameterStore.json(secrets)]
        }
    }

    private struct State: Sendable {
        var content = Content()
        var isRead = false
    }

    /// Nil: nothing is kept.
    private let path: String?
    private let state = Mutex(State())

    static let fileName = "parameters.json"

    /// - Parameter folder: where it lies; nil: nothing is kept.
    init(in folder: String?) { path = folder.map { "\($0)/\(Self.fileName)" } }

    /// The present content.
    func read() throws(ParameterFault) -> Content {
        try state.withLock { state throws(ParameterFault) in try content(&state) }
    }

    /// Changes it. It is on the disk when this returns.
    func change<Answer>(
        _ body: (inout Content) throws(ParameterFault) -> Answer
    ) throws(ParameterFault) -> Answer where Answer: Sendable {
        try state.withLock { state throws(ParameterFault) in
            var content = try content(&state)
            let answer = try body(&content)
            try write(content)
            state.content = content
            return answer
        }
    }

    /// Puts back what there was; nothing is written where it is so already.
    func restore(_ content: Content) throws(ParameterFault) {
        try state.withLock { state throws(ParameterFault) in
            guard try self.content(&state) != content else { return }
            try write(content)
            state.content = content
        }
    }

    private func content(_ state: inout State) throws(ParameterFault) -> Content {
        if state.isRead { return state.content }
        if let path, access(path, F_OK) == 0 {
            let found: JSONValue?
            do {
                found = try JSONReader.value(of: SmallFile.read(path, bytesMax: ParameterLimits.fileBytesMax))
            } catch {
                throw Self.unusable(path, "\(error)")
            }
            guard let content = Content(found) else {
                throw Self.unusable(path, "it is not what this server writes")
            }
            state.content = content
        }
        state.isRead = true
        return state.content
    }

    private func write(_ content: Content) throws(ParameterFault) {
        let bytes = JSONWriter.bytes(of: content.json)
        guard bytes.count <= ParameterLimits.fileBytesMax else {
            throw ParameterFault(
                "LimitExceededException",
                "Parameters and secrets have \(ParameterLimits.fileBytesMax) bytes together at most.")
        }
        guard let path else { return }
        do throws(SystemError) {
            try DataFolder.make(for: path)
            try SmallFile.replace(path, with: bytes, mode: 0o600)
        } catch {
            throw Self.unusable(path, "\(error)")
        }
    }

    fileprivate static func byName(_ object: JSONObject) -> [ByteText: JSONObject] {
        Dictionary(texts: object.members.compactMap { member in member.value.object.map { (member.key, $0) } }) { $1 }
    }

    fileprivate static func json(_ entries: [ByteText: JSONObject]) -> JSONValue {
        .object(JSONObject(entries.sorted { $0.key < $1.key }.map { ($0.key.string, .object($0.value)) }))
    }

    private static func unusable(_ path: String, _ reason: String) -> ParameterFault {
        ParameterFault("InternalServerError", "\(path) cannot be used: \(reason).", status: 500)
    }
}
