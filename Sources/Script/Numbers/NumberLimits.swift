/// The ends of what the methods of numbers take as arguments (ECMAScript 2023, 21.1.3).
package enum NumberLimits {
    package static let radixes = 2...36
    package static let fixedDigits = 0...100
    package static let exponentialDigits = 0...100
    package static let precisions = 1...100
}
