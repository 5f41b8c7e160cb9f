import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { acceptReport } from '#shared/ingest/accept.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { allFindings } from './expectations.ts';
import { codeScan, networkScan } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** Of processor time, for a report to its end. */
const MAX_SECONDS = 10;
const MB = 1024 * 1024;

const result = (text: string, more: object = {}) => ({ ruleId: 'r', message: { text }, ...more });
const sarif = (...results: unknown[]) =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results }] });
const inFile = (uri: string) =>
  result('m', { locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }] });
const bytes = (content: Uint8Array): Submission =>
  codeScan('', { report: { content: Buffer.from(content).toString('base64'), encoding: 'base64' } });
const tenfold = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
const bomb = `<!DOCTYPE nmaprun [<!ENTITY e0 "ha">${tenfold.join('')}]><nmaprun>&e30;</nmaprun>`;
const reads = '<!DOCTYPE nmaprun [<!ENTITY a SYSTEM "file:///etc/passwd">]><nmaprun>&a;</nmaprun>';
const deep = (depth: number) =>
  `{"ruleId":"r","message":{"text":"m"},"properties":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const million = sarif().replace('[]', `[${Array(1_000_000).fill('{}').join()}]`);
/** Within the report's other results. */
const nested = (depth: number) => codeScan(sarif(0).replace('[0]', `[${deep(depth)}]`));
const gzipped = (content: Uint8Array): Submission =>
  codeScan('', { report: { content: Buffer.from(content).toString('base64'), encoding: 'gzip+base64' } });
const zip = Buffer.concat([Buffer.from('504b0304140000000800', 'hex'), Buffer.alloc(2 * MB)]);
const noise = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 256));
const slow = `${'CVE-2021-'.repeat(50_000)}${'[\\['.repeat(50_000)}${' '.repeat(200_000)}x`;
const latin1 = Buffer.from(sarif(result('Grüße')), 'latin1');

/** The outcome: the code of the refusal or failure, or the titles and places of what was kept. */
async function outcomeOf(submission: Submission) {
  const table = world.newOrganization();
  try {
    const { taskId } = await acceptReport({ connections: world.connections, table }, submission);
    await world.drain();
    const { status, error, result: told } = await world.task(table, taskId);
    if (status === 'failed') return { code: error?.code, reason: error?.message };
    const kept = (await allFindings({ connections: world.connections, table })).map(
      ({ title, location }) => `${title} | ${location}`,
    );
    return { kept, rejected: told?.rejected };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, reason: error.message };
  }
}

const cases: [string, Submission, object][] = [
  ['entities that expand without end', networkScan(bomb), { code: 'unsafe_xml' }],
  ['an entity that reads a file of the machine', networkScan(reads), { code: 'unsafe_xml' }],
  ['JSON that is 100,000 levels deep', nested(100_000), { code: 'invalid_report' }],
  ['JSON that is three million levels deep', nested(3_000_000), { code: 'invalid_report' }],
  ['a million tiny entries', codeScan(million), { code: 'invalid_report' }],
  ['a text of 7 MB', codeScan(sarif(result('x'.repeat(7 * MB)))), { kept: [expect.stringMatching(/^x{1,300}/)] }],
  ['a text of 10 MB', codeScan(sarif(result('x'.repeat(10 * MB)))), { code: 'too_large' }],
  ['a path out of the tree', codeScan(sarif(inFile('../../../etc/passwd'))), { kept: ['m | ../../../etc/passwd:1'] }],
  [
    'HTML and script in a title',
    codeScan(sarif(result('<script>x()</script>'))),
    { kept: ['<script>x()</script> | '] },
  ],
  ['a formula in a title', codeScan(sarif(result('=HYPERLINK("x")'))), { kept: ['=HYPERLINK("x") | '] }],
  ['control characters', codeScan(sarif(result('a\u0000b\u001b[31mc\u0008d'))), { kept: ['ab[31mcd | '] }],
  [
    'half a character',
    codeScan(sarif(result('a\ud800b'), result('whole'))),
    { kept: ['whole | '], rejected: [{ reason: expect.stringContaining('half of a surrogate pair') }] },
  ],
  ['a text in another encoding', bytes(latin1), { kept: ['Gr\ufffd\ufffde | '] }],
  ['bytes that are no text', bytes(noise), { code: 'unsupported_format' }],
  ['a zip file', bytes(zip), { code: 'unsupported_format' }],
  ['a gzip bomb', gzipped(gzipSync(Buffer.alloc(200 * MB))), { code: 'payload_too_large' }],
  ['gzip in gzip', gzipped(gzipSync(gzipSync(Buffer.alloc(200 * MB)))), { code: 'unsupported_format' }],
  ['texts that make patterns slow', codeScan(sarif(result(slow))), { kept: [expect.stringMatching(/^CVE-2021-/)] }],
];

test.each(cases)(
  '%s: its import ends within 10 s of processor time, with what is safe or with a reason',
  async (_name, submission, expected) => {
    const before = process.cpuUsage();
    const outcome = await outcomeOf(submission);
    const { user, system } = process.cpuUsage(before);
    expect(outcome).toMatchObject(expected);
    expect((user + system) / 1e6).toBeLessThan(MAX_SECONDS);
    if (outcome.code) expect(outcome.reason).toMatch(/\w{3}/);
  },
);
