import * as fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { runs } from '../../../support/tier.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const listed = async (table: ReturnType<typeof world.newOrganization>): Promise<Pick<StoredFinding, 'title'>[]> =>
  (await table.list(findings, { paginateFrom: 0, paginateSize: 50 })).data;

const numbered = (line: number) => sarif([...problems(2), { rule: 'odd', file: 'src/odd.ts', line }]);
const nuclei = (score: number, odder = ''): Submission => {
  const match = (id: string, more: object = {}) => ({
    'template-id': id,
    'matched-at': 'https://a.example/',
    info: more,
  });
  const odd = match(`odd${odder}`, { classification: { 'cvss-score': score } });
  const target = { type: 'url', value: 'https://a.example/' } as const;
  return codeScan(JSON.stringify([match('good'), match('fine'), odd]), { format: 'nuclei', target });
};

test.each<[string, Submission, string]>([
  ['a line of 2^53', codeScan(numbered(2 ** 53)), 'location.line'],
  ['a line of 1e300', codeScan(numbered(1e300)), 'location.line'],
  ['a score of 1e-200', nuclei(1e-200), 'cvssScore'],
])('an entry with %s is rejected with its reason, and the others are imported', async (_, submission, field) => {
  const table = world.newOrganization();
  const task = await world.ingest(table, submission);
  expect(task).toMatchObject({ status: 'succeeded', result: { created: 2, rejectedCount: 1 } });
  expect(task.result?.rejected).toEqual([
    { reason: expect.stringMatching(`its ${field} must be`), where: expect.stringMatching('odd') },
  ]);
  expect(await listed(table)).toHaveLength(2);
});

test.each<[string, Submission]>([
  ['SARIF', codeScan(sarif([...problems(2), { rule: 'odd\ud800', file: 'src/odd.ts' }]))],
  ['Nuclei', nuclei(5, '\ud800')],
])('an entry of %s with half a character is rejected, instead of being kept as another text', async (_, submission) => {
  const table = world.newOrganization();
  const { result } = await world.ingest(table, submission);
  expect(result).toMatchObject({
    created: 2,
    rejectedCount: 1,
    rejected: [{ reason: expect.stringMatching('whole characters'), where: expect.any(String) }],
  });
});

test('an entry that cannot be kept closes nothing, because it may be any missing finding', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(4))));
  const task = await world.ingest(table, codeScan(numbered(2 ** 53)));
  expect(task.result).toMatchObject({ closed: 0, rejectedCount: 1 });
});

test('a report that is too deep fails once, with what to do', async () => {
  const whole = JSON.parse(sarif(problems(1)));
  whole.runs[0].tool.driver.rules = [{ id: 'r', messageStrings: 'DEEP' }];
  const text = JSON.stringify(whole).replace('"DEEP"', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
  const task = await world.ingest(world.newOrganization(), codeScan(text));
  expect(task).toMatchObject({
    status: 'failed',
    error: { code: 'invalid_report', message: expect.stringMatching('100') },
  });
});

test('a report that cannot be read in the time of a worker fails once, with what to do', async () => {
  const table = world.newOrganization();
  const id = await world.accept(table, codeScan(sarif(problems(1))));
  let time = Date.now();
  // each look at the clock is two minutes after the one before
  setClock(() => {
    time += 120_000;
    return time;
  });
  onTestFinished(() => setClock());
  await world.drain();
  const { status, error } = await world.task(table, id);
  expect({ status, error }).toMatchObject({
    status: 'failed',
    error: { code: 'too_large', message: expect.stringMatching('split the scan') },
  });
});

/** Names and values that no tool writes, but anybody may send. */
const name = fc.constantFrom('constructor', '__proto__', 'text', 'id', 'uri', 'level', '\ud800', '', 'toString');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      0,
      -1,
      2 ** 53,
      1e300,
      1e-200,
      Number.MAX_SAFE_INTEGER,
      true,
      null,
      '',
      '\ud800',
      `${'a'.repeat(23)}\ud801\udc28`,
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
/** A well-formed result in which some values were replaced. */
const result = fc.record({
  ruleId: fc.oneof(fc.constant('r'), value),
  message: fc.oneof(fc.constant({ text: 'm' }), value),
  level: value,
  partialFingerprints: value,
  properties: fc.oneof(value, fc.record({ tags: fc.array(value), 'security-severity': value })),
  locations: fc.array(
    fc.record({
      physicalLocation: fc.record({
        artifactLocation: fc.record({ uri: fc.oneof(fc.constant('src/a.ts'), value) }),
        region: fc.record({ startLine: value, snippet: fc.record({ text: value }) }),
      }),
    }),
    { maxLength: 2 },
  ),
});
const driver = fc.record({
  name: value,
  semanticVersion: value,
  rules: fc.array(fc.record({ id: value, properties: value })),
});

describe('whatever a report holds, its task ends and its scope goes on', () => {
  test('for SARIF', async () => {
    const table = world.newOrganization();
    const report = fc.record({ driver, results: fc.array(result, { maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(report, async ({ driver: tool, results }) => {
        const content = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: tool }, results }] });
        const { status } = await world.ingest(table, codeScan(content));
        expect(['succeeded', 'failed']).toContain(status);
      }),
      { numRuns: runs(6, 60) },
    );
    const { result: last } = await world.ingest(table, codeScan(sarif(problems(1))));
    expect(last).toMatchObject({ rejectedCount: 0 });
  });
});
