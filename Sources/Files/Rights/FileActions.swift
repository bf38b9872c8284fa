/// Several actions at once.
package struct FileActions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let get = FileActions(.get)
    package static let list = FileActions(.list)
    package static let put = FileActions(.put)
    package static let delete = FileActions(.delete)

    /// What `amplify add storage` calls reading and `defineStorage` too.
    package static let read: FileActions = [.get, .list]
    package static let all: FileActions = [.get, .list, .put, .delete]

    init(_ action: FileAction) {
        rawValue =
            switch action {
            case .get: 1
            case .list: 2
            case .put: 4
            case .delete: 8
            }
    }

    func allow(_ action: FileAction) -> Bool { contains(FileActions(action)) }
}
