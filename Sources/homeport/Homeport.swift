@main
struct Homeport {
    static func main() {}
}
