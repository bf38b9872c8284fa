/// A statement of PartiQL: what it means, with its parameters put in.
enum Statement {
    case select(Selection)
    case insert(table: String, Item)
    case update(table: String, Update, Condition, returning: ReturnedValues)
    case delete(table: String, Condition, returnsOld: Bool)
    /// `EXISTS(SELECT ...)`, of transactions.
    case exists(Selection)

    struct Selection {
        let table: String
        let index: String?
        /// Nil: all of the item.
        let parts: [DocumentPath]?
        let condition: Condition?
        let order: [(name: String, isForward: Bool)]
    }

    var table: String {
        switch self {
        case .select(let selection), .exists(let selection): selection.table
        case .insert(let table, _), .update(let table, _, _, _), .delete(let table, _, _): table
        }
    }

    var index: String? {
        switch self {
        case .select(let selection), .exists(let selection): selection.index
        default: nil
        }
    }

    /// True if it only reads.
    var isReading: Bool { if case .select = self { true } else { false } }

    /// The right that it needs.
    var action: String {
        switch self {
        case .select, .exists: "PartiQLSelect"
        case .insert: "PartiQLInsert"
        case .update: "PartiQLUpdate"
        case .delete: "PartiQLDelete"
        }
    }

    static func refusal(_ reason: String) -> ItemError {
        .validation("Statement wasn't well formed, can't be processed: \(reason)")
    }
}

/// The limits of statements.
enum StatementLimits {
    static let bytesMax = 8_192
    /// How deeply parentheses, `NOT`, lists and maps may contain each other.
    static let nestingMax = 64
    static let batchMax = 25
    /// The most places that one SELECT names, and the most that one UPDATE changes.
    static let partsMax = 300
    static let tokenBytesMax = 32 << 10
}
