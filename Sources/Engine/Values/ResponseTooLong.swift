/// A response has more bytes than it may have. Who knows the limit makes an error of it that names it.
package struct ResponseTooLong: Error, Equatable {}
