import type { Client } from './client.ts';
import type { TestOrganization } from './system.ts';

/** What an engagement needs at least to be scanned. */
export const scan = {
  title: 'Scan of the office',
  kind: 'vulnerability_scan' as const,
  targets: [{ type: 'host' as const, value: '10.1.2.3' }],
  taskTypes: ['network' as const],
};

/** Creates one, and waits until its task is done. */
export async function create(
  client: Client,
  more: object = {},
): Promise<{ id: string; result: Record<string, unknown> }> {
  const { taskId, resource } = await client.ok('createEngagement', { body: { ...scan, ...more } });
  const task = await client.ok('getTask', { params: { id: taskId }, query: { waitSeconds: 20 } });
  return { id: resource?.id ?? '', result: task.result ?? {} };
}

/** As an administrator sees it. */
export const read = ({ admin }: TestOrganization, id: string) => admin.ok('getEngagement', { params: { id } });
