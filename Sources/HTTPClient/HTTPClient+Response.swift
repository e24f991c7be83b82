package import HTTPTypes

extension HTTPClient {
    /// A response with all of its body.
    package struct Response: Sendable {
        /// The status and the fields of a response.
        package struct Head: Sendable {
            package var status = 0

            /// The fields, with their values byte for byte.
            package var fields = HTTPFields()

            package init() {}
        }

        package var head: Head

        /// The body, decompressed.
        package var body: [UInt8]

        package var status: Int { head.status }
        package var fields: HTTPFields { head.fields }

        package init(head: Head, body: [UInt8]) {
            self.head = head
            self.body = body
        }
    }
}
