/// The configuration of nginx: it serves files of the lab's folder, as fast as it can.
struct NginxSite {
    /// Fields of its answers that nginx would not send by itself.
    var fields: [(name: String, value: String)] = []
    var certificate: Certificate?
    /// The folder below the lab's that has the files; empty: the lab's own.
    var root = ""
    /// The number of files that nginx keeps open; 0: it looks for each anew, as files change.
    var openFileCount = 100
    /// Whether clients that take gzip are sent a file's compressed neighbour, which is looked for.
    var sendsCompressed = true

    func configuration(port: Int, folder: String) -> String {
        // A quote, a backslash or a dollar in a value would need care; no value has one.
        let added = fields.map { #"add_header \#($0.name) "\#($0.value)" always;"# }
        let secure = certificate.map { certificate in
            """
            ssl_certificate \(certificate.chain);
            ssl_certificate_key \(certificate.key);
            ssl_protocols TLSv1.3;
            """
        }
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/nginx-\($0);" }
        return """
            worker_processes auto;
            daemon off;
            pid \(folder)/nginx-\(port).pid;
            events { worker_connections 16384; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                tcp_nodelay on;
                open_file_cache \(openFileCount == 0 ? "off" : "max=\(openFileCount)");
                open_file_cache_valid 60s;
                open_file_cache_errors on;
                keepalive_requests 1000000000;
                default_type application/json;
                gzip_static \(sendsCompressed ? "on" : "off");
                \(temporary.joined(separator: "\n"))
                server {
                    listen 127.0.0.1:\(port)\(certificate == nil ? "" : " ssl") backlog=4096;
                    root \(folder)/\(root);
                    \(secure ?? "")
                    \(added.joined(separator: "\n"))
                }
            }
            """
    }
}
