import Blueprint
import Project
import Script

// The room Script has names that GraphQL has too.

typealias ProgramValue = Value
typealias ProgramPlace = Place
typealias ProgramObject = ScriptObject

extension Double {
    /// Its text as JavaScript writes it.
    var programText: String { NumberText.decimal(self) }
}
