import Blueprint
import Project

/// A function as a schema names it.
enum FunctionTarget {
    case name(String)
    case function(FunctionReference)
    case other
}
