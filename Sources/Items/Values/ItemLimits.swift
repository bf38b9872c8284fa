/// The limits of items: the one table of what DynamoDB refuses to hold.
package enum ItemLimits {
    /// The largest item, names and values together, as `Item.size` counts them.
    package static let itemBytesMax = 400 << 10
    /// How deeply lists and maps may contain each other within an item.
    package static let nestingMax = 32
    /// The longest name of an attribute.
    package static let nameBytesMax = 65_535
    /// The longest value of a partition key.
    package static let partitionKeyBytesMax = 2_048
    /// The longest value of a sort key.
    package static let sortKeyBytesMax = 1_024
    /// Up to this many levels of a request are read; what is deeper is refused before it is looked at.
    package static let readNestingMax = 200
}
