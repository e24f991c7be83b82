import Testing

@testable import Platform

/// What the process's control group may use (cgroups(7)).
@Suite struct ControlGroups {
    @Test(
        arguments: [
            // Version 2: as the root, nested, and where a group around it has less.
            ("0::/\n", ["memory.max": "1000\n"], 1000),
            ("0::/a/b\n", ["a/b/memory.max": "2000\n"], 2000),
            ("0::/a/b\n", ["a/b/memory.max": "2000\n", "a/memory.max": "1500\n"], 1500),
            ("0::/a/b\n", ["a/b/memory.max": "max\n", "memory.max": "max\n"], nil),
            // In a container, whose own group is the root of what it sees.
            ("0::/docker/1f\n", ["memory.max": "3000\n"], 3000),
            // Version 1, and both.
            ("5:cpu,memory:/x\n1:name=y:/\n", ["memory/x/memory.limit_in_bytes": "4000\n"], 4000),
            ("4:memory:/\n", ["memory/memory.limit_in_bytes": "9223372036854771712\n"], nil),
            (
                "4:memory:/z\n0::/z\n",
                ["memory/z/memory.limit_in_bytes": "700\n", "z/memory.max": "600\n"], 600
            ),
            ("", [:], nil), ("broken\n", ["memory.max": "1\n"], nil),
        ] as [(String, [String: String], Int?)]
    )
    func haveALimitOfMemory(_ membership: String, _ files: [String: String], _ limit: Int?) {
        let group = ControlGroup(membership: membership) { files[$0] }
        #expect(group.memoryLimit == limit)
    }

    @Test(
        arguments: [
            // Version 2: what is not whole is rounded up.
            ("0::/\n", ["cpu.max": "200000 100000\n"], 2),
            ("0::/\n", ["cpu.max": "250000 100000\n"], 3),
            ("0::/a/b\n", ["a/b/cpu.max": "25000 100000\n", "a/cpu.max": "400000 100000\n"], 1),
            ("0::/a/b\n", ["a/b/cpu.max": "max 100000\n", "a/cpu.max": "400000 100000\n"], 4),
            ("0::/a\n", ["a/cpu.max": "max 100000\n"], nil), ("0::/a\n", [:], nil),
            ("0::/a\n", ["a/cpu.max": "100000 0\n"], nil), ("0::/a\n", ["a/cpu.max": "1\n"], nil),
            // Version 1.
            (
                "3:cpu,cpuacct:/x\n",
                ["cpu/x/cpu.cfs_quota_us": "150000\n", "cpu/x/cpu.cfs_period_us": "50000\n"], 3
            ),
            (
                "3:cpu:/\n",
                ["cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"], nil
            ),
        ] as [(String, [String: String], Int?)]
    )
    func haveALimitOfProcessors(_ membership: String, _ files: [String: String], _ limit: Int?) {
        let group = ControlGroup(membership: membership) { files[$0] }
        #expect(group.processorLimit == limit)
    }
}
