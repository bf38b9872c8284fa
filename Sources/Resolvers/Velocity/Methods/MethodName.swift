import JSON

/// The methods that values of a template have. There are no others: nothing is found by looking at Swift's or Java's classes.
enum MethodName: String, CaseIterable, Sendable {
    // Of all values.
    case toString, equals, hashCode
    // Of texts.
    case length, isEmpty, isBlank, trim, strip, stripLeading, stripTrailing, toLowerCase, toUpperCase, intern, charAt
    case codePointAt, substring, subSequence, contains, startsWith, endsWith, equalsIgnoreCase, compareTo
    case compareToIgnoreCase, contentEquals, indexOf, lastIndexOf, concat, replace, replaceAll, replaceFirst, matches
    case split, `repeat`, format, join, valueOf, copyValueOf, toCharArray
    // Of lists and maps.
    case size, get, set, add, addAll, containsAll, remove, removeAll, retainAll, clear, subList, iterator, listIterator
    case toArray, getOrDefault, put, putAll, putIfAbsent, containsKey, containsValue, keySet, values, entrySet
    // Of entries, iterators and loops.
    case getKey, getValue, setValue, hasNext, next, getIndex, getCount, getHasNext, isFirst, getFirst, isLast, getLast
    case getParent, getTopmost
    // Of numbers, booleans and characters.
    case intValue, longValue, doubleValue, floatValue, shortValue, byteValue, booleanValue, charValue, compare, parseInt
    case parseLong, parseDouble, parseBoolean, decode, max, min, sum, signum, toBinaryString, toHexString, toOctalString
    case isNaN, isInfinite, isDigit, isLetter, isLetterOrDigit, isUpperCase, isLowerCase, isWhitespace, logicalAnd
    case logicalOr, logicalXor

    private static let all = Dictionary(
        texts: allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    static func named(_ name: String) -> MethodName? { all[name] }
}
