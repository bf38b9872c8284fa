import Blueprint
import JSON
import Store

/// How messages of a conversation are written: by the server, for the user whose conversation it is.
struct MessageRecord: Sendable {
    private let type: RecordType
    private let store: Store
    private let owner: String

    /// Nil where records have versions, which only mutations keep.
    init?(_ conversation: Conversation, of engine: Engine, owner: String) {
        guard let type = engine.types.type(ofModel: conversation.messageName), type.changeLog == nil else { return nil }
        self.type = type
        store = engine.store
        self.owner = owner
    }

    /// Writes a message; one of that id is changed, and keeps the time of its making. Once this has returned, it is on the disk.
    ///
    /// - Parameter id: nil: a new one.
    /// - Returns: the message, with its type's name.
    func write(_ values: JSONObject, id: String?) async throws(CallFailure) -> JSONObject {
        let now = JSONValue.string(Timestamp.now.text)
        var message = JSONObject([
            ("__typename", .string(type.name)),
            ("id", .string(id ?? RecordID.make(milliseconds: Timestamp.now.millisecondsSince1970))),
        ])
        for member in values { message[member.key] = member.value }
        message["owner"] = .string(owner)
        message["createdAt"] = now
        message["updatedAt"] = now
        let table = type.table
        let key = [StoredValue.text(message["id"]?.string ?? "")]
        let made = assignments(message, in: table, without: [])
        let changed = assignments(message, in: table, without: ["id", "createdAt"])
        let isKnown = id != nil
        // Whoever knows the id of somebody else's message does not write over its answer.
        let isOwn = Predicate.all(
            ["owner", "conversationId"].map { name in
                .field(name, .compare(.equal, .text(message[name]?.string ?? "")))
            })
        let isWritten: Bool
        do {
            isWritten = try await store.writer.write(turn: .models, key: nil) { session in
                if isKnown {
                    let update = RecordChange.update(in: table, key: key, changed, if: isOwn, returning: [])
                    if try session.apply(update, row: { (_: borrowing Row) throws(StoreError) in }) { return true }
                }
                let create = RecordChange.create(in: table, made, returning: [])
                return try session.apply(create, row: { (_: borrowing Row) throws(StoreError) in })
            }
        } catch {
            throw CallFailure("The message could not be kept", type: "InternalFailure", detail: "a message: \(error)")
        }
        guard isWritten else { throw CallFailure("Message not found", type: "ResourceNotFound") }
        return message
    }

    private func assignments(
        _ message: JSONObject, in table: TableLayout, without left: [String]
    ) -> [RecordChange.Assignment] {
        message.compactMap { member in
            guard !left.contains(member.key), let column = table.column(of: member.key), !member.value.isNull else {
                return nil
            }
            return RecordChange.Assignment(member.key, StoredValue(member.value, as: column.kind))
        }
    }
}
