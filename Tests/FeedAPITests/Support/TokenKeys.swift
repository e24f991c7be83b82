/// Pairs of keys that sign nothing but the tokens of tests.
enum TokenKeys {
    static let ed25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEArcIeXtYnmM8HXr0bUzp381Ht2O+LfntOMJ6rHSpbh5Q=
        -----END PUBLIC KEY-----

        """

    static let ed25519Private = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIDkkHplcYpzO7U12BavNlW4v4ayDADVM/x5BqjAaE67e
        -----END PRIVATE KEY-----

        """

    static let p256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzYjaJEjTdvOyQVXrU7bubaBuqlix
        VsuxCPTGatecQNXpJbs3xaJonaEd9sLukvA17kpmUa4x1NUDCc3aJnmDRQ==
        -----END PUBLIC KEY-----

        """

    static let p256Private = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxd0AW1WzSBpJwdgw
        Fd//iOVOtCStDtgZYhy8vhk5KVmhRANCAATNiNokSNN287JBVetTtu5toG6qWLFW
        y7EI9MZq15xA1ekluzfFomidoR32wu6S8DXuSmZRrjHU1QMJzdomeYNF
        -----END PRIVATE KEY-----

        """
}
