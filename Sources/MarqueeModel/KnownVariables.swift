/// The environment variables that Marquee's programs, scripts and tests know, other than settings of the server.
package enum KnownVariables {
    package static let prefix = "MARQUEE_"

    /// Variables that set options of the program `marquee`.
    package static let client = [
        "SERVER", "USER", "LOCALE", "MIRROR", "TOKEN", "TLS", "TLS_CA", "TLS_NAME", "TLS_PUBLIC_KEY", "TLS_CERT",
        "TLS_KEY", "ALLOW_UNENCRYPTED",
    ].map { prefix + $0 }

    /// All other variables. All but the first three are for building, packaging and testing.
    package static let others = [
        "ADMIN_TOKEN", "RELAY_OPTIONS", "STORE_OPTIONS",
        "BASE", "BUILD_FLAGS", "BUILT", "CI_FOLDER", "DATA", "DEBIAN", "FAULT_COMMITS", "FAULT_CYCLES",
        "FAULT_SECONDS", "FAULT_SEED", "FAULT_STEP", "FULL_SIZE", "FUZZ_SEEDS", "FUZZ_TARGET", "MUTANT", "PICTURES",
        "POSTGRES", "RECORD", "RUN_UPDATES", "TEST_DISKS", "WRITE_TABLES", "WRITE_VECTORS",
    ].map { prefix + $0 }
}
