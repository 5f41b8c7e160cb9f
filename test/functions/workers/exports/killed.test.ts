import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { exportAnswer, queueExport } from '#functions/findings/finding-exports/export.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { exportFiles } from '#shared/platform/exports/export.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { eachWrite } from '../../../support/tier.ts';
import { makeVictim } from '../imports/crash.ts';
import { startWorld } from '../imports/world.ts';
import { exported } from './exported.ts';

const world = await startWorld();
afterAll(() => world.stop());
const victim = await makeVictim(world.connections);

const at = '2026-01-05T08:00:00.000Z';
const caller = { kind: 'user', id: 'analyst', name: 'Analyst', organizationId: '', role: 'analyst' } as const;

/** 21 MB as JSON lines, so that the file has three parts. */
const COUNT = 230;
let table: Table;
beforeAll(async () => {
  table = world.newOrganization();
  const ids = await table.reserve(findings, COUNT);
  for (const id of ids) {
    const batch = table.batch(true);
    const fields = { title: id, description: 'A long description. '.repeat(4_600) };
    batch.create(findings, table.stamp<StoredFinding>({ ...findingDraft(at, fields), id }));
    await batch.commit();
  }
});
afterEach(() => setClock());

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function killedAt(write: number, when: 'before' | 'after') {
  const { connections } = world;
  const { taskId } = await queueExport({ connections, table, caller }, { format: 'jsonl', filter: {} });
  const [message] = world.messages;
  victim.killAt(write, when);
  await world.deliver();
  const died = victim.isDead();
  victim.restart();
  if (died && message && !world.messages.includes(message)) world.messages.unshift(message);
  await world.drain();
  const { status, file } = await exportAnswer({ connections, table }, { taskId, waitSeconds: 0 });
  const text = file ? await (await fetch(file.url)).text() : '';
  return { died, outcome: { status, findings: file?.findings, sizeBytes: file?.sizeBytes, digest: digestOf(text) } };
}

test.each(['before', 'after'] as const)(
  'an export whose worker was killed %s any of its writes has every finding once',
  async (when) => {
    const { text, file } = await exported(world, table, { format: 'jsonl' });
    expect(
      new Set(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).title),
      ).size,
    ).toBe(COUNT);
    const { sizeBytes } = file;
    const expected = { status: 'succeeded', findings: COUNT, sizeBytes, digest: digestOf(text) };
    for (let write = 1; ; write += eachWrite(5)) {
      const { died, outcome } = await killedAt(write, when);
      expect({ write, ...outcome }).toEqual({ write, ...expected });
      expect((await readUse(table)).get('runningExports')).toBe(0);
      if (died) continue;
      expect(write).toBeGreaterThan(8);
      return;
    }
  },
);

test('a long export continues in further messages, and starts again when its parts were given up meanwhile', async () => {
  let now = Date.parse(at);
  setClock(() => {
    now += 31_000;
    return now;
  });
  const { connections } = world;
  const { taskId } = await queueExport({ connections, table, caller }, { format: 'jsonl', filter: {} });
  await world.deliver();
  expect(world.messages).toHaveLength(1);
  const { progress } = await world.task(table, taskId);
  expect(progress).toEqual({ done: 100, total: COUNT, unit: 'findings' });
  await connections.bucket.remove([exportFiles(table.organizationId, taskId).selection]);
  await world.drain();
  const { file } = await exportAnswer({ connections, table }, { taskId, waitSeconds: 0 });
  expect(file).toMatchObject({ findings: COUNT });
});
