/// A program that was read and compiled once, for all threads and all realms.
///
/// Unchecked: nothing changes in it once the compiler has handed it out.
package final class CompiledProgram: @unchecked Sendable {
    struct GlobalNames: Sendable {
        var variables: [Name] = []
        var functions: [Name] = []
        var lexicals: [(name: Name, isConstant: Bool)] = []
    }

    /// The name of the file, for messages.
    package let file: String
    let text: [UInt16]
    /// How names are spelled, by their numbers.
    let spellings: [[UInt16]]
    let numbers: [Double]
    let texts: [[UInt16]]
    let templates: [Template]
    let top: Code
    let isModule: Bool
    let globals: GlobalNames
    package let requests: [ModuleRequest]
    let imports: [ImportEntry]
    let exports: [ExportEntry]
    /// Which cell of the top code each exported local name has.
    let exportCells: [Name: Int]
    let hasTopLevelAwait: Bool

    init(
        file: String, text: [UInt16], spellings: [[UInt16]], numbers: [Double], texts: [[UInt16]],
        templates: [Template],
        top: Code, isModule: Bool, globals: GlobalNames, requests: [ModuleRequest], imports: [ImportEntry],
        exports: [ExportEntry], exportCells: [Name: Int], hasTopLevelAwait: Bool
    ) {
        self.file = file
        self.text = text
        self.spellings = spellings
        self.numbers = numbers
        self.texts = texts
        self.templates = templates
        self.top = top
        self.isModule = isModule
        self.globals = globals
        self.requests = requests
        self.imports = imports
        self.exports = exports
        self.exportCells = exportCells
        self.hasTopLevelAwait = hasTopLevelAwait
    }

    func spelling(_ name: Name) -> [UInt16] {
        let index = Int(name.number)
        return spellings.indices.contains(index) ? spellings[index] : []
    }
}
