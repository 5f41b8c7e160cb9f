import { expect } from 'vitest';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { siemBatches } from '#shared/soc/siem/batches.ts';
import type { TestSystem } from './system.ts';
import { eventually } from './wait.ts';

export const ago = (seconds: number): string => inSeconds(-seconds);
export const ssh = (at: string, text: string, host = 'web-01') => `<86>1 ${at} ${host} sshd 812 - - ${text}`;

/** A new organization with a collector. `done` waits until all is done for these batches. */
export async function logCollector(system: TestSystem) {
  const organization = await system.newOrganization();
  const { client, id } = await organization.machine('collector', { name: 'logs-1' });
  const { table } = organization;
  const done = (...batchIds: string[]) =>
    eventually(async () => {
      const rows = await table.rows(siemBatches).findMany(batchIds.map((batchId) => ({ collectorId: id, batchId })));
      expect(rows.map(({ status }) => status)).toEqual(batchIds.map(() => 'done'));
    });
  const send = async (batchId: string, lines: readonly (string | object)[], source = 'web-01') => {
    const content = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    return client.ok('sendEvents', { body: { batchId, source, content } });
  };
  return { ...organization, collector: client, collectorId: id, send, done };
}
