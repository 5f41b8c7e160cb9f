import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf, withoutTexts } from './reading.ts';

const rest = JSON.parse(fixture('github-alerts/rest.json').toString());
const graphql = JSON.parse(fixture('github-alerts/graphql.json').toString());
const read = async (answer: unknown) => findingsOf(await eventsOf('github-alerts', JSON.stringify(answer)));

test('an open alert keeps its advisory, package, manifest and repository; dismissed ones are no findings', async () => {
  expect(await read(rest)).toEqual([
    {
      title: 'GHSA-aaaa-bbbb-cccc in quickform: Forgeable session cookie',
      description: 'The session cookie of quickform can be forged.',
      severity: 'high',
      toolSeverity: 'high',
      ruleId: 'GHSA-aaaa-bbbb-cccc',
      cves: ['CVE-2023-10001'],
      cwes: ['CWE-347'],
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      cvssScore: 7.5,
      asset: { type: 'repository', value: 'https://github.com/example/shop' },
      location: { path: 'web/package-lock.json' },
      component: { name: 'quickform', purl: 'pkg:npm/quickform', fixedVersions: ['2.1.4'] },
      evidence: [],
      references: ['https://github.com/example/shop/security/dependabot/7', 'https://example.test/advisory'],
      remediation: 'Update quickform to 2.1.4.',
      tags: ['CVE-2023-10001'],
      identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', 'web/package-lock.json'],
    },
  ]);
});

test('a GraphQL answer on several repositories gives each its open alerts', async () => {
  const [first] = await read(rest);
  expect(await read(graphql)).toMatchObject([
    {
      severity: 'medium',
      toolSeverity: 'MODERATE',
      asset: { type: 'repository', value: 'example/shop' },
      component: { version: '2.1.0' },
      identity: first?.identity,
    },
  ]);
});

test('pages in an array are read as one answer', async () => {
  expect(await read([graphql])).toEqual(await read(graphql));
  expect(await read([rest, rest.slice(1)])).toEqual(await read(rest));
});

test('ids distinguish alerts without their manifest', async () => {
  const answer = structuredClone(graphql);
  for (const alert of answer.data.search.nodes[0].vulnerabilityAlerts.nodes)
    Object.assign(alert, { vulnerableManifestPath: undefined, state: undefined });
  expect((await read(answer)).map(({ identity }) => identity.at(-1))).toEqual(['RVA_1', 'RVA_2']);
});

test('an answer with further pages or with errors closes nothing', async () => {
  const answer = structuredClone(graphql);
  answer.data.search.nodes[0].vulnerabilityAlerts.pageInfo.hasNextPage = true;
  answer.errors = [{ message: 'timeout' }];
  const events = await eventsOf('auto', JSON.stringify(answer));
  expect(events.flatMap((event) => (event.kind === 'incomplete' ? [event.code] : []))).toEqual([
    'more_pages',
    'tool_error',
  ]);
});

test('a repository without alerts is clean, in both interfaces', async () => {
  const clean = { data: { repository: { name: 'clean', vulnerabilityAlerts: { nodes: [] } } } };
  expect(await eventsOf('auto', JSON.stringify(clean))).toHaveLength(1);
  expect(await eventsOf('github-alerts', '[]')).toHaveLength(1);
});

test('an alert of code scanning is a finding of its rule and line, in the repository that its page names', async () => {
  const alert = {
    number: 35,
    state: 'open',
    html_url: 'https://github.com/example/shop/security/code-scanning/35',
    rule: {
      id: 'py/path-injection',
      severity: 'error',
      security_severity_level: 'critical',
      description: 'Path injection',
    },
    tool: { name: 'CodeQL' },
    most_recent_instance: { message: { text: 'Depends on line 9.' }, location: { path: 'web/a.py', start_line: 12 } },
  };
  const events = await eventsOf('auto', JSON.stringify([alert, { ...alert, state: 'dismissed' }]));
  expect(events[0]).toEqual({ kind: 'tool', name: 'GitHub code scanning' });
  expect(findingsOf(events)).toMatchObject([
    {
      title: 'Path injection',
      severity: 'critical',
      asset: { value: 'https://github.com/example/shop' },
      location: { path: 'web/a.py', line: 12 },
      identity: ['py/path-injection', 'web/a.py', 'message:depends on .'],
    },
  ]);
});

test('an open alert on a secret keeps its kind and place, and never the secret; a resolved one is no finding', async () => {
  const text = fixture('github-alerts/secrets.json').toString();
  const found = findingsOf(await eventsOf('github-alerts', text));
  expect(found).toMatchObject([
    {
      title: 'Secret in the repository: Payment Service Key',
      severity: 'critical',
      ruleId: 'payment_service_key',
      asset: { type: 'repository', value: 'https://github.com/acme/shop' },
      location: { path: 'config/payment.yml', line: 4 },
    },
  ]);
  expect(withoutTexts(found)).not.toContain('not-a-real-secret');
});
