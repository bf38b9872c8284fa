import Project
import Script

/// What the program itself has written, apart from what is known only when the app is deployed.
extension ProgramValue {
    /// The opaque value that it is.
    var opaque: OpaqueObject? { if case .object(let object) = self { object as? OpaqueObject } else { nil } }

    /// The object of the program itself that it is.
    var plain: ScriptObject? { if case .object(let object) = self, !object.isOpaque { object } else { nil } }

    var text: String? { if case .text(let text) = self { text.string } else { nil } }

    var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    /// The whole number that it is.
    var whole: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

    /// The elements of the list that it is; nil: it is none, or one that cannot be read.
    var list: [ProgramValue]? {
        guard case .object(let object) = self, let list = object as? ScriptArray else { return nil }
        return try? list.values()
    }

    /// The same, where what is no list has none.
    var elements: [ProgramValue] { list ?? [] }
}

extension ScriptObject {
    /// A member; undefined where the program fails to give it.
    func value(_ name: String) -> ProgramValue { (try? get(name)) ?? .undefined }

    func text(_ name: String) -> String? { value(name).text }

    /// The object of the program itself that a member is.
    func plain(_ name: String) -> ScriptObject? { value(name).plain }
}
