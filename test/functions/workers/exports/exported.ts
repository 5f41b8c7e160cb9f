import { exportAnswer, queueExport } from '#functions/findings/finding-exports/export.ts';
import type { FindingsExport } from '#functions/findings/finding-exports/routes.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { World } from '../imports/world.ts';

const caller = { kind: 'user', id: 'analyst', name: 'Analyst', organizationId: '', role: 'analyst' } as const;

/** Exports as a caller does: queues, lets the workers do it, and fetches the file from its address. */
export async function exported(world: World, table: Table, request: Partial<FindingsExport> = {}) {
  const { connections } = world;
  const body = { format: 'csv' as const, filter: {}, ...request };
  const { taskId } = await queueExport({ connections, table, caller }, body);
  await world.drain();
  const answer = await exportAnswer({ connections, table }, { taskId, waitSeconds: 0 });
  if (!answer.file) throw new Error(`there is no file: ${JSON.stringify(answer)}`);
  const fetched = await fetch(answer.file.url);
  return { ...answer, file: answer.file, fetched, text: await fetched.text() };
}
