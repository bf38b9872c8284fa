import GraphQL

/// Who may do what with a model: a table of roles and fields, with the operations allowed in each cell.
///
///                       id     title    secret
///     owner            all      all      read
///     group Admin      all      all      all
///     public API key   read     read     –
///
/// The columns are the fields that the type declares. A rule of the model fills a row; the first rule on a field
/// clears its column, and then only the field's own rules count there.
package struct AccessMatrix: Sendable {
    /// A number of a role, in `roles`.
    package typealias RoleNumber = Int

    package private(set) var roles: [Role] = []
    /// The declared fields.
    package let fields: [String]

    private let columns: NameTable
    /// By role, then by field.
    private var grants: [[OperationSet]] = []
    private var roleNumbers: [String: RoleNumber] = [:]
    /// The columns of fields with rules of their own.
    private var ruledColumns: Set<Int> = []

    package init(fields: [String]) {
        self.fields = fields
        columns = NameTable(fields)
    }

    /// What becomes of a rule for people for whom there is one already.
    enum Repetition {
        /// It is an error.
        case refused
        /// It holds in place of the earlier one, as on a join model.
        case replaces
        /// Both hold.
        case joins
    }

    /// Adds what a rule of the model allows. Returns the first of its roles that is refused because it is there already.
    mutating func add(_ rule: AccessRule, as ruleRoles: [Role], repeated: Repetition = .refused) -> Role? {
        for role in ruleRoles {
            let row = Array(repeating: rule.operations, count: fields.count)
            if let number = roleNumbers[role.name] {
                switch repeated {
                case .refused: return role
                case .replaces: grants[number] = row
                case .joins: grants[number] = grants[number].map { $0.union(rule.operations) }
                }
            } else {
                append(role, with: row)
            }
        }
        return nil
    }

    /// Takes a field, which has rules of its own, out of what the model's rules allow.
    mutating func clear(field: String) {
        guard let column = columns[field] else { return }
        ruledColumns.insert(column)
        for number in grants.indices { grants[number][column] = [] }
    }

    /// Adds what a rule on a field allows.
    mutating func add(_ rule: AccessRule, as ruleRoles: [Role], field: String) {
        guard let column = columns[field] else { return }
        for role in ruleRoles {
            if roleNumbers[role.name] == nil {
                append(role, with: Array(repeating: [], count: fields.count))
            }
            if let number = roleNumbers[role.name] { grants[number][column] = rule.operations }
        }
    }

    private mutating func append(_ role: Role, with row: [OperationSet]) {
        roleNumbers[role.name] = roles.count
        roles.append(role)
        grants.append(row)
    }

    /// True if no role has any operation, so that nobody may call the model.
    var admitsNobody: Bool { grants.allSatisfy { $0.allSatisfy(\.isEmpty) } }

    /// Returns whether rules stand on the field itself.
    package func hasOwnRules(field: String) -> Bool { columns[field].map(ruledColumns.contains) ?? false }

    /// Returns whether a role may do an operation with a field. A field that is no column is nobody's.
    package func allows(_ role: RoleNumber, _ operation: OperationSet, field: String) -> Bool {
        guard let column = columns[field], grants.indices.contains(role) else { return false }
        return grants[role][column].isSuperset(of: operation)
    }

    /// Returns whether a role may read a field by any of the reading operations.
    package func mayRead(_ role: RoleNumber, field: String) -> Bool {
        guard let column = columns[field], grants.indices.contains(role) else { return false }
        return !grants[role][column].isDisjoint(with: .read)
    }

    /// The roles that have an operation on at least one field.
    package func roles(with operation: OperationSet) -> [RoleNumber] {
        grants.indices.filter { grants[$0].contains { $0.isSuperset(of: operation) } }
    }

    /// The roles that have an operation on every field.
    package func roles(withAll operation: OperationSet) -> [RoleNumber] {
        grants.indices.filter { grants[$0].allSatisfy { $0.isSuperset(of: operation) } }
    }

    /// The fields on which a role has an operation.
    package func fields(of role: RoleNumber, for operation: OperationSet) -> [String] {
        fields.filter { allows(role, operation, field: $0) }
    }

    /// The roles that decide whether a field needs a check of its own: those with `get` anywhere, without those that
    /// a private role of the same provider makes irrelevant for the field.
    private func readers(of field: String) -> [RoleNumber] {
        let readers = roles(with: .get)
        let dominated = [AccessRule.Provider.userPools, .oidc].filter { provider in
            readers.contains {
                roles[$0].isPrivate(of: provider) && allows($0, .read, field: field)
            }
        }
        return readers.filter { number in
            let role = roles[number]
            return !dominated.contains(role.provider) || role.strategy == .private
        }
    }

    /// Returns whether reading the field is checked by itself, because somebody who reads records may not read it.
    package func isRestricted(field: String) -> Bool {
        readers(of: field).contains { !mayRead($0, field: field) }
    }
}
