import type { Reported } from '../../../cli/output/reported.ts';

export const BASE_URL = 'https://exposure.example';

/** Findings of a list and of a gate, with texts of a report that mean harm. */
export const findings: readonly Reported[] = [
  {
    id: '0198b6f2-7c11-7a40-9d1e-000000000001',
    title: 'SQL injection',
    severity: 'critical',
    ruleId: 'sql-injection',
    location: 'src/app files/a.ts:12',
    firstSeenAt: '2026-11-01T08:00:00.000Z',
    asset: { id: '0198b6f2-7c11-7a40-9d1e-0000000000aa', type: 'repository', name: 'acme/shop', zone: null },
    tool: 'semgrep',
    cves: [],
    cwes: ['CWE-89'],
    status: 'open',
  },
  {
    id: '0198b6f2-7c11-7a40-9d1e-000000000002',
    title: 'evil\n::error::pwned 100% | [x](http://evil.example) <img src=x> `a` \u0001',
    severity: 'medium',
    ruleId: 'a,b:c',
    location: '10.0.0.7:443/tcp',
    firstSeenAt: '2026-11-02T08:00:00.000Z',
    asset: { id: '0198b6f2-7c11-7a40-9d1e-0000000000ab', type: 'host', name: '10.0.0.7', zone: null },
    tool: 'nmap',
    cves: ['CVE-2026-1'],
    cwes: [],
    status: 'risk_accepted',
  },
  {
    id: '0198b6f2-7c11-7a40-9d1e-000000000003',
    title: 'Password in file',
    severity: 'low',
    ruleId: 'secret',
    location: 'conf/app.env',
    firstSeenAt: '2026-11-02T08:00:00.000Z',
    isNew: true,
  },
];

export const failed = { passed: false, reasons: ['1 new critical', '1 new low'], baseRef: 'main' };
