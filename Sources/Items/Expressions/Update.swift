/// What is to become of an item: the meaning of an update expression, or of its older form.
package struct Update: Sendable {
    package struct Action: Sendable {
        package let path: DocumentPath
        package let change: Change
    }

    package enum Change: Sendable {
        case set(Operand)
        case remove
        /// Adds to a number, or elements to a set.
        case add(ItemValue)
        /// Takes elements out of a set.
        case delete(ItemValue)
    }

    /// What a path is set to, asked of the item as it was.
    package indirect enum Operand: Sendable {
        case path(DocumentPath)
        case value(ItemValue)
        case ifAbsent(DocumentPath, Operand)
        case append(Operand, Operand)
        case sum(Operand, Operand)
        case difference(Operand, Operand)
    }

    /// None leads to another one.
    package let actions: [Action]
    /// The older form adds to lists too, and has other words for what does not fit.
    let isLegacy: Bool

    init(actions: [Action], isLegacy: Bool = false) {
        self.actions = actions
        self.isLegacy = isLegacy
    }

    /// An update that changes nothing: an item that is not there comes to be with its key alone.
    package static var nothing: Update { Update(actions: []) }

    /// Whether it only takes away. An item that is not there does not come to be by that.
    var onlyTakesAway: Bool {
        !actions.isEmpty
            && actions.allSatisfy { action in
                switch action.change {
                case .remove, .delete: true
                case .set, .add: false
                }
            }
    }

    /// The names of all attributes that are changed, in their order, some perhaps more than once.
    package var attributes: [String] { actions.map(\.path.root) }
}
