import { afterAll, expect, test } from 'vitest';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { eachWrite } from '../../../support/tier.ts';
import { makeVictim } from './crash.ts';
import { expectSound } from './expectations.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
const victim = await makeVictim(world.connections);
afterAll(() => world.stop());

const target = { type: 'repository', value: 'https://git.example.com/acme/shop' } as const;
const purl = 'pkg:npm/lodash@4.17.20';

const submission = (report: object, more: Partial<Submission> = {}): Submission => ({
  source: 'import',
  format: 'auto',
  report: { content: JSON.stringify(report) },
  target,
  ...more,
});

const idOf = (n: number) => `CVE-2021-${10_000 + n}`;

const scanOf = (size: number) => ({
  bomFormat: 'CycloneDX',
  components: [{ 'bom-ref': purl, type: 'library', name: 'lodash', version: '4.17.20', purl }],
  vulnerabilities: Array.from({ length: size }, (_, n) => ({ id: idOf(n), affects: [{ ref: purl }] })),
});

const vexOf = (size: number, more: object = {}) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://vendor.example/vex/1',
  author: 'Example Vendor PSIRT',
  timestamp: '2026-05-04T09:00:00Z',
  statements: Array.from({ length: size }, (_, n) => ({
    vulnerability: { name: idOf(n) },
    products: [{ '@id': purl }],
    status: 'not_affected',
  })),
  ...more,
});

async function statusesOf(table: Table): Promise<Record<string, number>> {
  const rows = await recordsOf(table, findings);
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );
}

test('the report of a scanner or an appliance decides on no finding: a machine has no such right', async () => {
  const table = world.newOrganization();
  await world.ingest(table, submission(scanOf(2)));
  const { result } = await world.ingest(table, submission(vexOf(2), { source: 'scanner' }));
  expect(result).toMatchObject({ created: 0 });
  expect(result).not.toHaveProperty('settled');
  expect(await statusesOf(table)).toEqual({ open: 2 });
});

test('a document about a range of addresses decides nowhere, also on no later finding', async () => {
  const table = world.newOrganization();
  const range = { type: 'cidr', value: '10.0.0.0/24' } as const;
  const { result } = await world.ingest(table, submission(vexOf(2), { target: range }));
  expect(result).toMatchObject({ settled: 0, vex: { statements: 2, named: 0, later: false } });
  await world.ingest(table, submission(scanOf(2)));
  expect(await statusesOf(table)).toEqual({ open: 2 });
});

test('a document with more vulnerabilities than are searched for settles each finding once, and a later version releases the others', async () => {
  const table = world.newOrganization();
  await world.ingest(table, submission(scanOf(250)));
  const { result } = await world.ingest(table, submission(vexOf(2500), { target: undefined as never }));
  expect(result).toMatchObject({ settled: 250, vex: { statements: 2500, named: 250 } });
  expect(await statusesOf(table)).toEqual({ false_positive: 250 });
  const later = vexOf(100, { timestamp: '2026-06-01T00:00:00Z' });
  const { result: second } = await world.ingest(table, submission(later, { target: undefined as never }));
  expect(second).toMatchObject({ settled: 100, vex: { named: 100, released: 150 } });
  expect(await statusesOf(table)).toEqual({ false_positive: 100, open: 150 });
});

test('a document too large to be kept decides when it is sent, and says so; undoing a replaced version takes nothing back', async () => {
  const table = world.newOrganization();
  await world.ingest(table, submission(scanOf(1)));
  const products = Array.from({ length: 4000 }, () => ({ '@id': `pkg:npm/${newId()}${newId()}` }));
  const { statements } = vexOf(1);
  const document = vexOf(1, { statements: [...statements, { ...statements[0], products }] });
  const { id, result } = await world.ingest(table, submission(document));
  expect(result).toMatchObject({ settled: 1, vex: { later: false } });
  const small = await world.ingest(table, submission(vexOf(1, { timestamp: '2026-06-01T00:00:00Z' })));
  expect(small.result).toMatchObject({ settled: 1, vex: { later: true } });
  await queueUndo({ connections: world.connections, table }, id);
  await world.drain();
  expect(await statusesOf(table)).toEqual({ false_positive: 1 });
  await queueUndo({ connections: world.connections, table }, small.id);
  await world.drain();
  expect(await statusesOf(table)).toEqual({ open: 1 });
});

async function killedAt(kill?: { write: number; when: 'before' | 'after' }) {
  const table = world.newOrganization();
  await world.ingest(table, submission(scanOf(5)));
  await world.ingest(table, submission(vexOf(3)));
  const id = await world.accept(table, submission(vexOf(4, { timestamp: '2026-06-01T00:00:00Z' })));
  const [message] = world.messages;
  if (kill) victim.killAt(kill.write, kill.when);
  await world.deliver();
  const died = victim.isDead();
  victim.restart();
  if (died && message && !world.messages.includes(message)) world.messages.unshift(message);
  await world.drain();
  const { result } = await world.task(table, id);
  await expectSound(table);
  return { died, outcome: { ...result, statuses: await statusesOf(table) } };
}

test.each(['before', 'after'] as const)(
  'a document whose worker is killed %s any write counts each finding once',
  async (when) => {
    const { outcome: expected } = await killedAt();
    expect(expected).toMatchObject({
      settled: 4,
      vex: { named: 4, kept: 0 },
      statuses: { false_positive: 4, open: 1 },
    });
    for (let write = 1; ; write += eachWrite(2)) {
      const { died, outcome } = await killedAt({ write, when });
      expect({ write, ...outcome }).toEqual({ write, ...expected });
      if (!died) return expect(write).toBeGreaterThan(5);
    }
  },
);
