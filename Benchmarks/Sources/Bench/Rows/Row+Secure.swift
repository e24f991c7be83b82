extension Row {
    /// The cost of a not-modified poll over TLS.
    static let secure = Row(
        name: "tls",
        title: "Not-modified poll over TLS",
        goal: "CPU per request within 1.1 × nginx's with the same certificate"
    ) { lab in
        let certificate = try Certificate(in: lab)
        let freshet = try lab.startFreshet(
            ["--tls-cert", certificate.chain, "--tls-key", certificate.key],
            isSecure: true
        )
        let token = try freshet.put("bench", FeedText.document(100))
        let request = Request(target: "/feeds/bench").with("If-None-Match", "\"\(token)\"")
        let nginx = try lab.startNginx(
            copying: freshet.exchange(request),
            certificate: certificate
        )
        let comparison = try Comparison(
            [nginx, Side("freshet", freshet, request, status: 304)],
            connections: 64,
            in: lab
        )
        return Section(
            headline: "\(comparison.costRatio("freshet").median.text()) × nginx",
            tables: [comparison.table("TLS 1.3, 64 connections:")]
        )
    }
}
