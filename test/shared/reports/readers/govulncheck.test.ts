import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const stream = fixture('govulncheck/stream.jsonl').toString();
const read = async (text: string | Buffer) => findingsOf(await eventsOf('govulncheck', text));

test('all that is said of one vulnerability in a module is one finding, with the call that reaches it', async () => {
  const [called, required, ...others] = await read(stream);
  expect(called).toEqual({
    title: 'GO-2023-9001 in example.test/quickform v2.1.0: Forgeable session cookie',
    description: 'Forgeable session cookie in detail.',
    severity: 'high',
    toolSeverity: 'error',
    ruleId: 'GO-2023-9001',
    cves: ['CVE-2023-10001'],
    cwes: [],
    asset: null,
    location: { path: 'web/login.go', line: 12 },
    component: {
      name: 'example.test/quickform',
      version: 'v2.1.0',
      purl: 'pkg:golang/example.test/quickform@v2.1.0',
      fixedVersions: ['v2.1.4'],
    },
    evidence: [
      { kind: 'text', content: 'example.test/quickform/session' },
      {
        kind: 'text',
        content:
          'example.test/shop/web.Login web/login.go:12\nexample.test/quickform/session.*Cookie.Sign session/cookie.go:40',
      },
    ],
    references: ['https://pkg.go.dev/vuln/GO-2023-9001', 'https://go.example.test/cl/1'],
    remediation: 'Update example.test/quickform to v2.1.4.',
    tags: ['called', 'CVE-2023-10001', 'GHSA-aaaa-bbbb-cccc'],
    identity: ['GO-2023-9001', 'example.test/quickform', ''],
  });
  expect(required).toMatchObject({ ruleId: 'GO-2023-9002', severity: 'low', toolSeverity: 'note', location: {} });
  expect(others).toEqual([]);
});

test('messages in an array, over several lines, or with findings before their records are the same report', async () => {
  const lines = stream.trimEnd().split('\n');
  const findings = await read(stream);
  expect(await read(`[${lines.join(',')}]`)).toEqual(findings);
  expect(await read(lines.map((line) => JSON.stringify(JSON.parse(line), null, 2)).join(''))).toEqual(findings);
  const [config = '', progress = '', ...rest] = lines;
  expect(await read([config, progress, ...rest.slice(3), ...rest.slice(0, 3)].join('\n'))).toEqual(findings);
});

test('a report of version 0 gives the same finding, and is high when a function is called', async () => {
  const [first] = await read(stream);
  expect(await read(fixture('govulncheck/old.json'))).toMatchObject([
    { severity: 'high', component: { version: 'v2.1.0' }, identity: first?.identity },
  ]);
});

test('a report of version 0.1 gives the same finding', async () => {
  const module = { Path: 'example.test/quickform', FoundVersion: 'v2.1.0', FixedVersion: 'v2.1.4' };
  const packages = [{ Path: 'example.test/quickform/session', CallStacks: [] }];
  const report = { Vulns: [{ OSV: { id: 'GO-2023-9001' }, Modules: [{ ...module, Packages: packages }] }] };
  const [first] = await read(stream);
  expect(await read(JSON.stringify(report))).toMatchObject([{ severity: 'medium', identity: first?.identity }]);
});

test('a stream without findings is clean only if govulncheck wrote it', async () => {
  expect(await read(stream.split('\n').slice(0, 2).join('\n'))).toEqual([]);
  expect(await codeOf(eventsOf('govulncheck', '{"progress": {}}'))).toBe('unsupported_format');
});

test.each(['}', ']', ',', ':'])('a stray %s between two messages ends in a named error', async (stray) => {
  expect(await codeOf(eventsOf('govulncheck', `${stream}${stray}\n${stream}`))).toBe('invalid_report');
});
