/// A rule of section 5 of the specification that a document breaks, in the words of graphql-java 9.
package struct ValidationError: Error, Sendable, Hashable {
    package let type: ValidationErrorType
    /// What is wrong, without the frame around it.
    package let description: String
    package let positions: [Position]
    /// The names of the fields around it, from the root of the operation or the name of the fragment.
    package let path: [String]

    /// As clients read it.
    package var message: String {
        let place = path.isEmpty ? "" : " @ '\(path.joined(separator: "/"))'"
        return "Validation error of type \(type.rawValue): \(description)\(place)"
    }
}

/// The kinds of validation errors that clients can tell apart by name.
package enum ValidationErrorType: String, Sendable, Hashable, CaseIterable {
    case nonExecutableDefinition = "NonExecutableDefinition"
    case wrongType = "WrongType"
    case fieldUndefined = "FieldUndefined"
    case inlineFragmentTypeConditionInvalid = "InlineFragmentTypeConditionInvalid"
    case unknownArgument = "UnknownArgument"
    case unknownDirective = "UnknownDirective"
    case misplacedDirective = "MisplacedDirective"
    case undefinedFragment = "UndefinedFragment"
    case unknownType = "UnknownType"
    case fragmentCycle = "FragmentCycle"
    case undefinedVariable = "UndefinedVariable"
    case unusedFragment = "UnusedFragment"
    case unusedVariable = "UnusedVariable"
    case fieldsConflict = "FieldsConflict"
    case invalidFragmentType = "InvalidFragmentType"
    case missingFieldArgument = "MissingFieldArgument"
    case missingDirectiveArgument = "MissingDirectiveArgument"
    case subSelectionNotAllowed = "SubSelectionNotAllowed"
    case subSelectionRequired = "SubSelectionRequired"
    case defaultForNonNullArgument = "DefaultForNonNullArgument"
    case badValueForDefaultArgument = "BadValueForDefaultArg"
    case nonInputTypeOnVariable = "NonInputTypeOnVariable"
    case variableTypeMismatch = "VariableTypeMismatch"
    case loneAnonymousOperationViolation = "LoneAnonymousOperationViolation"
    /// Not one of AppSync's: the document asks for more checking than `ValidationLimits` allows.
    case tooComplex = "DocumentTooComplex"
}
