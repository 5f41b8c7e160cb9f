import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const scan = JSON.parse(fixture('semgrep/scan.json').toString());
const [first] = scan.results;
const supplyChain = JSON.parse(fixture('semgrep/supply-chain.json').toString());

const reading = (report: object) => eventsOf('auto', JSON.stringify(report));
const findings = async (report: object) => findingsOf(await reading(report));
const withExtra = (extra: object) => ({ ...scan, results: [{ ...first, extra: { ...first.extra, ...extra } }] });

test('a problem in code keeps its rule, place, way of the data, weakness and references', async () => {
  const [tool, event] = await reading(scan);
  expect(tool).toEqual({ kind: 'tool', name: 'Semgrep PRO', version: '1.90.0' });
  expect(event).toEqual({
    kind: 'finding',
    finding: {
      title: 'Input of a request reaches a query',
      description: 'Input of a request reaches a query. Bind it as a parameter instead.',
      severity: 'high',
      toolSeverity: 'ERROR',
      ruleId: 'python.flask.tainted-sql',
      cves: [],
      cwes: ['CWE-89'],
      asset: null,
      location: { path: 'shop/orders.py', line: 18, snippet: "    db.execute('select * from o where id=' + oid)" },
      evidence: [
        {
          kind: 'text',
          content: [
            "source shop/orders.py:16 request.args['id']",
            'through shop/orders.py:16 oid',
            "sink shop/orders.py:18 db.execute('select * from o where id=' + oid)",
          ].join('\n'),
        },
      ],
      references: ['https://rules.example.test/tainted-sql', 'https://semgrep.dev/r/tainted-sql'],
      tags: ['A03:2021 - Injection', 'security', 'flask', 'HIGH CONFIDENCE'],
      identity: ['python.flask.tainted-sql', 'shop/orders.py', 'matchBasedId/v1:5f0c2a91d7_0'],
    },
  });
});

test('a vulnerable package of a scan shows what to update', async () => {
  const [, dependency] = await findings(scan);
  expect(dependency).toMatchObject({
    title: 'CVE-2024-10001 in left-trim 2.0.3',
    severity: 'medium',
    ruleId: 'ssc-0f3b',
    cves: ['CVE-2024-10001'],
    component: { name: 'left-trim', version: '2.0.3', fixedVersions: ['2.1.0'] },
    remediation: 'Update left-trim to 2.1.0.',
    tags: ['unreachable'],
  });
});

test('a vulnerability of the Supply Chain API is on its repository, and keeps its advisory', async () => {
  const [, event] = await reading(supplyChain);
  expect(event).toMatchObject({
    finding: {
      title: 'CVE-2024-10002 in tarlib 3.1.4',
      description: 'tarlib before 3.2.0 writes outside of its folder.\n\nReachable if you unpack files of others',
      severity: 'high',
      ruleId: 'ssc-7c11',
      cwes: ['CWE-22'],
      asset: { type: 'repository', value: 'example/shop' },
      location: { path: 'requirements.txt', line: 12 },
      component: { name: 'tarlib', version: '3.1.4', fixedVersions: ['3.2.0'] },
    },
  });
});

test.each([
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['ERROR', 'high'],
  ['WARNING', 'medium'],
  ['LOW', 'low'],
  ['INFO', 'low'],
  ['INVENTORY', 'info'],
])('a rule of severity %s gives a finding that is %s', async (severity, expected) => {
  expect((await findings(withExtra({ severity })))[0]?.severity).toBe(expected);
});

describe('identity', () => {
  const without = { fingerprint: 'requires login' };
  const identity = async (extra: object, line: number) => {
    const report = withExtra(extra);
    const moved = { ...report, results: [{ ...report.results[0], start: { line, col: 5 }, end: { line, col: 61 } }] };
    return (await findings(moved))[0]?.identity;
  };

  test.each([
    ['the extent of the code', { ...without }],
    ['the message, where Semgrep leaves the line out', { ...without, lines: 'requires login' }],
  ])('without a login %s tells the problem, wherever it moved', async (_, extra) => {
    expect(await identity(extra, 18)).toEqual(await identity(extra, 200));
    expect((await identity(extra, 18))?.join()).not.toContain('requires login');
  });

  test('the vulnerability stays the same one after an update to another vulnerable version', async () => {
    const [vuln] = supplyChain.vulns;
    const updated = { ...vuln, matchedDependency: { name: 'tarlib', versionSpecifier: '3.1.5' } };
    const [[before], [after]] = await Promise.all([
      findings(supplyChain),
      findings({ ...supplyChain, vulns: [updated] }),
    ]);
    expect(after?.identity).toEqual(before?.identity);
  });
});

describe('what closes findings', () => {
  const kinds = async (report: object) => (await reading(report)).map(({ kind }) => kind);

  test('a scan that found nothing says so', async () => {
    expect(await kinds({ ...scan, results: [] })).toEqual(['tool']);
    expect(await kinds({ results: [], errors: [] })).toEqual(['tool']);
  });

  test('what the code or somebody in Semgrep set aside does not come up', async () => {
    expect(await kinds(withExtra({ is_ignored: true }))).toEqual(['tool']);
    const vulns = [{ ...supplyChain.vulns[0], triage: { status: 'IGNORED' } }];
    expect(await kinds({ ...supplyChain, vulns })).toEqual(['tool']);
  });

  test('a scan that failed, or a list that goes on, closes nothing', async () => {
    const errors = [{ code: 2, level: 'error', type: 'Rule parse error', message: 'a rule cannot be read' }];
    expect((await reading({ ...scan, errors })).at(-1)).toEqual({
      kind: 'incomplete',
      code: 'tool_error',
      first: 'a rule cannot be read',
    });
    expect(await kinds({ ...supplyChain, hasMore: true })).toContain('incomplete');
    const warned = (type: unknown) => kinds({ ...scan, errors: [{ code: 2, level: 'warn', type, message: 'm' }] });
    for (const type of ['Timeout', 'Out of memory', 'Stack overflow', 'OOM during interfile analysis'])
      expect(await warned(type), type).toContain('incomplete');
    expect(await warned(['PartialParsing', [{ path: 'a.js' }]])).not.toContain('incomplete');
    expect(await kinds(scan)).not.toContain('incomplete');
  });
});

test('a secret of the history names its commit, and whether it still works', async () => {
  const extra = { historical_info: { git_commit: 'c0ffee' }, validation_state: 'CONFIRMED_VALID' };
  const [found] = await findings(withExtra(extra));
  expect(found).toMatchObject({ location: { commit: 'c0ffee' }, tags: expect.arrayContaining(['verified']) });
});
