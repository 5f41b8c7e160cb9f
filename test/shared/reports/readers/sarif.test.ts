import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const run = (parts: object) => ({ tool: { driver: { name: 'demo' } }, results: [], ...parts });
const sarif = (...runs: object[]) => JSON.stringify({ version: '2.1.0', runs });
const at = (uri: string, startLine?: number) => [
  { physicalLocation: { artifactLocation: { uri }, region: { startLine } } },
];

async function findingOf(result: object, parts: object = {}) {
  const finding = findingsOf(await eventsOf('sarif', sarif(run({ ...parts, results: [result] }))))[0];
  if (!finding) throw new Error('the result gave no finding');
  return finding;
}

describe('what code scanners write', () => {
  test('CodeQL: the rule behind an extension, the repository, the data flow and the stable fingerprint are used', async () => {
    const events = await eventsOf('sarif', fixture('sarif/codeql.sarif'));
    expect(events.map((event) => event.kind)).toEqual(['tool', 'finding', 'finding']);
    expect(events[0]).toEqual({ kind: 'tool', name: 'CodeQL', version: '2.19.3' });
    expect(findingsOf(events)[0]).toEqual({
      title: 'Database query built from user-controlled sources',
      description:
        'This query string depends on a user-provided value.\n\nBuilding a database query from user-controlled sources is vulnerable to insertion of malicious code by the user.',
      severity: 'high',
      toolSeverity: '8.8',
      ruleId: 'js/sql-injection',
      cves: [],
      cwes: ['CWE-89', 'CWE-943'],
      asset: { type: 'repository', value: 'https://github.com/example/shop' },
      location: { path: 'src/login.js', line: 14, commit: '2f8c1b7d9a4e6053c1d2e3f4a5b6c7d8e9f0a1b2' },
      evidence: [{ kind: 'text', content: 'src/login.js:9 req.body.user\nsrc/login.js:14 query' }],
      references: [],
      remediation: '# Database query built from user-controlled sources\nUse a prepared statement.',
      tags: ['security'],
      identity: ['js/sql-injection', 'src/login.js', 'primaryLocationLineHash:b1d2c7f5a0e94c11:1'],
    });
  });

  test('CodeQL: a path that only the list of artifacts names is found and decoded', async () => {
    const [, second] = findingsOf(await eventsOf('sarif', fixture('sarif/codeql.sarif')));
    expect(second?.location).toMatchObject({ path: 'src/lib a/util.js', line: 3 });
  });

  test('Semgrep: rules after the results are found, and its placeholder is not taken for a fingerprint', async () => {
    const findings = findingsOf(await eventsOf('sarif', fixture('sarif/semgrep.sarif')));
    expect(findings.map(({ title, severity, cwes }) => ({ title, severity, cwes }))).toEqual(
      Array(2).fill({
        title: "Found 'subprocess' function 'call' with 'shell=True'",
        severity: 'high',
        cwes: ['CWE-78'],
      }),
    );
    const told = expect.stringMatching(/^message:found 'subprocess' function/);
    expect(findings.map(({ identity }) => identity.slice(2))).toEqual([
      [told, 'width:35'],
      [told, 'width:35', '#2'],
    ]);
  });

  test('gosec: the weakness comes from the taxonomy that its rules relate to', async () => {
    const [finding] = findingsOf(await eventsOf('sarif', fixture('sarif/gosec.sarif')));
    expect(finding).toMatchObject({ ruleId: 'G402', cwes: ['CWE-295'], location: { path: 'cmd/main.go', line: 41 } });
  });
});

describe('severity', () => {
  const rule = (properties: object, level?: string) => ({
    tool: { driver: { name: 'demo', rules: [{ id: 'r', properties, defaultConfiguration: { level } }] } },
  });
  test.each([
    [{ level: 'error' }, {}, 'high'],
    [{ level: 'warning' }, {}, 'medium'],
    [{ level: 'note' }, {}, 'low'],
    [{ level: 'none' }, {}, 'info'],
    [{}, {}, 'medium'],
    [{}, rule({}, 'error'), 'high'],
    [{ level: 'note' }, rule({ 'security-severity': '9.0' }), 'critical'],
    [{ level: 'error' }, rule({ 'security-severity': '3.9' }), 'low'],
    [{ level: 'error' }, rule({ 'security-severity': 'much' }), 'high'],
    [{ properties: { 'security-severity': 7 } }, rule({ 'security-severity': '2' }), 'high'],
  ])('a result %o of a rule %o ranks as %s', async (result, parts, severity) => {
    const finding = await findingOf({ ruleId: 'r', message: { text: 'm' }, ...result }, parts);
    expect(finding.severity).toBe(severity);
  });
});

describe('what is no finding', () => {
  test.each([
    ['a passed check', { kind: 'pass' }],
    ['an informational entry', { kind: 'informational' }],
    ['one that was accepted at the source', { suppressions: [{ kind: 'external', status: 'accepted' }] }],
    ['one that an earlier run saw and this one does not', { baselineState: 'absent' }],
  ])('%s does not alarm anyone', async (_name, parts) => {
    const events = await eventsOf(
      'sarif',
      sarif(run({ results: [{ ruleId: 'r', message: { text: 'm' }, ...parts }] })),
    );
    expect(events).toEqual([{ kind: 'tool', name: 'demo' }]);
  });

  test('a suppression that was rejected or is under review hides nothing', async () => {
    for (const status of ['rejected', 'underReview']) {
      const finding = await findingOf({ ruleId: 'r', message: { text: 'm' }, suppressions: [{ status }] });
      expect(finding.ruleId).toBe('r');
    }
  });

  test('an unusable result is rejected with its place and the others are kept', async () => {
    const results = [null, { level: 'error' }, { ruleId: 'r', message: { text: 'kept' } }];
    const events = await eventsOf('sarif', sarif(run({}), run({ results })));
    expect(events.slice(2)).toMatchObject([
      { kind: 'rejected', where: 'runs[1].results[0]' },
      { kind: 'rejected', where: 'runs[1].results[1]' },
      { kind: 'finding', finding: { title: 'kept' } },
    ]);
  });
});

describe('whether the scan may close findings', () => {
  test('a clean run is a plain success', async () => {
    expect(await eventsOf('sarif', sarif(run({})))).toEqual([{ kind: 'tool', name: 'demo' }]);
  });

  test.each<[string, object, object]>([
    [
      'failed',
      run({ invocations: [{ executionSuccessful: false, exitCodeDescription: 'out of memory' }] }),
      { code: 'tool_error', first: 'out of memory' },
    ],
    [
      'ended well after an error',
      run({
        invocations: [
          { executionSuccessful: true, toolExecutionNotifications: [{ level: 'error', message: { text: 'a crash' } }] },
        ],
      }),
      { code: 'tool_error', first: 'a crash' },
    ],
    [
      'gave up a rule of Semgrep',
      run({
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [{ descriptor: { id: 'Timeout' }, message: { text: 'too slow' } }],
          },
        ],
      }),
      { code: 'tool_error', first: 'too slow' },
    ],
    [
      'could not read a rule',
      run({
        invocations: [
          {
            executionSuccessful: true,
            toolConfigurationNotifications: [{ level: 'error', message: { text: 'a rule' } }],
          },
        ],
      }),
      { code: 'tool_error', first: 'a rule' },
    ],
    [
      'could not decide on a result',
      run({ results: [{ kind: 'open', ruleId: 'r', message: { text: 'm' } }] }),
      { code: 'not_judged', count: 1, thing: 'result', first: 'runs[0].results[0]' },
    ],
    ['has null results', run({ results: null }), { code: 'no_results' }],
    ['lacks results', { tool: { driver: { name: 'demo' } } }, { code: 'no_results' }],
  ])('a run that %s says so, so that it closes nothing', async (_name, broken, gap) => {
    expect(await eventsOf('sarif', sarif(broken))).toEqual([
      { kind: 'tool', name: 'demo' },
      { kind: 'incomplete', ...gap },
    ]);
  });

  test('a warning of the tool, and an open result that was suppressed, change nothing', async () => {
    const toolExecutionNotifications = [{ message: { text: 'slow' } }, { level: 'warning', message: { text: 'w' } }];
    const results = [{ kind: 'review', ruleId: 'r', message: { text: 'm' }, suppressions: [{ kind: 'external' }] }];
    const invocations = [{ executionSuccessful: true, toolExecutionNotifications }];
    expect(await eventsOf('sarif', sarif(run({ invocations, results })))).toEqual([{ kind: 'tool', name: 'demo' }]);
  });

  test('a run whose results are in files that nobody sent is no clean one', async () => {
    const elsewhere = {
      externalPropertyFileReferences: { results: [{ location: { uri: 'results.sarif-external' } }] },
    };
    const events = await eventsOf('sarif', sarif({ tool: { driver: { name: 'demo' } }, ...elsewhere }));
    expect(events).toEqual([
      { kind: 'tool', name: 'demo' },
      { kind: 'rejected', reason: expect.stringContaining('let the tool write all into one'), where: 'runs[0]' },
    ]);
  });

  test('each run announces its own tool before its findings', async () => {
    const second = {
      tool: { driver: { name: 'second', version: '2' } },
      results: [{ ruleId: 'r', message: { text: 'm' } }],
    };
    const events = await eventsOf('sarif', sarif(run({}), second));
    expect(events.map((event) => (event.kind === 'tool' ? event.name : event.kind))).toEqual([
      'demo',
      'second',
      'finding',
    ]);
  });
});

describe('places', () => {
  const bases = {
    originalUriBaseIds: {
      ROOT: { uri: 'file:///home/ci/build/' },
      APP: { uri: 'app/', uriBaseId: 'ROOT' },
      A: { uri: 'a/', uriBaseId: 'B' },
      B: { uri: 'b/', uriBaseId: 'A' },
    },
  };
  test.each([
    ['a relative base is part of the path', { uri: 'x.py', uriBaseId: 'APP' }, 'app/x.py'],
    ['the directory of the build machine is not', { uri: 'x.py', uriBaseId: 'ROOT' }, 'x.py'],
    ['nor when the tool writes it into the path', { uri: 'file:///home/ci/build/app/x.py' }, 'app/x.py'],
    ['a path outside of it stays whole', { uri: 'file:///etc/x.conf' }, '/etc/x.conf'],
    ['Windows separators become slashes', { uri: '.\\app\\x.cs' }, 'app/x.cs'],
    ['a wrong escape is kept', { uri: '100%.txt' }, '100%.txt'],
    ['an unknown base is ignored', { uri: 'x.py', uriBaseId: 'NONE' }, 'x.py'],
  ])('%s, so that the finding is the same from another machine', async (_name, artifactLocation, path) => {
    const locations = [{ physicalLocation: { artifactLocation } }];
    expect((await findingOf({ ruleId: 'r', message: { text: 'm' }, locations }, bases)).location.path).toBe(path);
  });

  test('bases that name each other in a circle end', async () => {
    const locations = [{ physicalLocation: { artifactLocation: { uri: 'x', uriBaseId: 'A' } } }];
    const { path } = (await findingOf({ ruleId: 'r', message: { text: 'm' }, locations }, bases)).location;
    expect(path).toMatch(/x$/);
  });

  test('the finding of a web scanner is on the site, the finding of an image scanner on the image', async () => {
    const web = await findingOf({ ruleId: 'r', message: { text: 'm' }, locations: at('https://shop.test/cart?id=1') });
    expect(web).toMatchObject({
      asset: { type: 'url', value: 'https://shop.test' },
      location: { url: 'https://shop.test/cart?id=1' },
    });
    const image = await findingOf(
      { ruleId: 'CVE-2024-1234', message: { text: 'm' } },
      { properties: { imageName: 'nginx:1.14' } },
    );
    expect(image).toMatchObject({ asset: { type: 'container_image', value: 'nginx:1.14' }, cves: ['CVE-2024-1234'] });
  });
});

describe('messages', () => {
  const rules = [{ id: 'r/a', messageStrings: { default: { text: "'{0}' reaches {1} in {{braces}} {9}" } } }];
  test('a message by id takes its words from the rule and its arguments from the result', async () => {
    const result = { ruleId: 'r/a', message: { id: 'default', arguments: ['input', 'eval'] } };
    const finding = await findingOf(result, { tool: { driver: { name: 'demo', rules } } });
    expect(finding.description).toBe("'input' reaches eval in {braces} {9}");
  });

  test('a result of a part of a rule finds the rule', async () => {
    const result = { ruleId: 'r/a/part', message: { id: 'default', arguments: ['x', 'y'] } };
    const finding = await findingOf(result, { tool: { driver: { name: 'demo', rules } } });
    expect(finding.description).toContain("'x' reaches y");
  });
});

describe('identity', () => {
  const identity = async (parts: object) =>
    (await findingOf({ ruleId: 'r', message: { text: 'Bad call at x.c:12, line 12' }, ...parts })).identity;

  test('a finding that an edit above moved is still the same one', async () => {
    const moved = { message: { text: 'Bad call at x.c:40, line 40' } };
    expect(await identity({ locations: at('x.c', 12) })).toEqual(
      await identity({ ...moved, locations: at('x.c', 40) }),
    );
  });

  test('columns and hashes of the whole file do not make it a new one', async () => {
    const first = { partialFingerprints: { contextHash: 'c', fileHash: '1', startColumn: '4' } };
    const second = { partialFingerprints: { contextHash: 'c', fileHash: '2', startColumn: '9' } };
    expect(await identity(first)).toEqual(await identity(second));
  });

  test('the same statement on two lines is two findings, reported twice on one line it is one', async () => {
    const result = (line: number) => ({ ruleId: 'r', message: { text: 'm' }, locations: at('x.c', line) });
    const findings = findingsOf(await eventsOf('sarif', sarif(run({ results: [result(3), result(9), result(3)] }))));
    const identities = findings.map((finding) => finding.identity.join(' '));
    expect(identities[0]).toBe(identities[2]);
    expect(new Set(identities).size).toBe(2);
  });
});
