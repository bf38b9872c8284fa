import Items
import JSON
import Store

/// A change of a table as a function is told of it, whatever the table.
struct ToldChange: Sendable {
    let number: Int64
    /// Milliseconds since 1970.
    let time: Int64
    /// `INSERT`, `MODIFY` or `REMOVE`.
    let name: String
    let sequenceNumber: String
    let record: JSONValue
}

/// The changes that a function is still to be told of: of a model's table, or of one of the project's own.
///
/// Each of the two has a table of positions: changes of models are counted by model, those of items over all tables, and an earlier
/// version of the server has to find its positions where it left them.
enum ToldChanges: Sendable {
    case model(TableStreamQueue, table: TableLayout, typeName: String, region: String)
    case items(ItemStreamQueue)

    /// The next changes.
    struct Part: Sendable {
        fileprivate enum Origin: Sendable {
            case model(TableStreamQueue.Part)
            case items(ItemStreamQueue.Part)
        }

        let changes: [ToldChange]
        /// How often the first of them was told of alone, in vain, and when it is to be told of again.
        let tries: Int64
        let due: Int64
        fileprivate let origin: Origin
    }

    /// The next changes: as many as that, and no more than so many bytes of them unless it is one.
    func next(max: Int, bytesMax: Int) async throws -> Part {
        switch self {
        case .model(let queue, let table, let typeName, let region):
            let part = try await queue.next(max: max, bytesMax: bytesMax)
            let changes = part.changes.map { change in
                ToldChange(
                    number: change.number, time: change.time, name: change.name,
                    sequenceNumber: change.sequenceNumber,
                    record: change.record(of: table, typeName: typeName, region: region))
            }
            return Part(changes: changes, tries: part.tries, due: part.due, origin: .model(part))
        case .items(let queue):
            let part = try await queue.next(max: max, bytesMax: bytesMax)
            let changes = part.changes.map { change in
                ToldChange(
                    number: change.number, time: change.time, name: change.name,
                    sequenceNumber: change.sequenceNumber, record: change.record)
            }
            return Part(changes: changes, tries: part.tries, due: part.due, origin: .items(part))
        }
    }

    /// All of a part up to that number is done with.
    func advance(to number: Int64, in part: Part) async throws {
        switch (self, part.origin) {
        case (.model(let queue, _, _, _), .model(let part)): try await queue.advance(to: number, in: part)
        case (.items(let queue), .items(let part)): try await queue.advance(to: number, in: part)
        default: break
        }
    }

    func delay(_ part: Part, until time: Int64, tries: Int64) async throws {
        switch (self, part.origin) {
        case (.model(let queue, _, _, _), .model(let part)): try await queue.delay(part, until: time, tries: tries)
        case (.items(let queue), .items(let part)): try await queue.delay(part, until: time, tries: tries)
        default: break
        }
    }

    /// Goes on with a table that has been changed.
    mutating func adopt(_ layout: DatabaseLayout) {
        guard case .model(let queue, let table, let typeName, let region) = self else { return }
        self = .model(
            queue, table: layout.table(storing: table.model) ?? table, typeName: typeName, region: region)
    }
}
