import { startLocalSystem } from '#local/system.ts';
import type { ApexTask } from '#shared/apex/apex-task.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { giveTask } from '../../../support/held-task.ts';
import { type TestOrganization, type TestSystem, testSystem } from '../../../support/system.ts';

/** A system of its own with these settings of its provider; `undefined` takes one away. */
export async function startWithProvider(settings: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const local = await startLocalSystem({ port: 0, checkResponses: true });
  await bootstrap(local.connections);
  await local.connections.secrets.put('llm-key', 'sk-test');
  return { local, system: testSystem(local.baseUrl, local.connections) };
}

export type Appliance = Awaited<ReturnType<typeof newAppliance>>;

/** An appliance that holds a task, and asks for it. */
export async function newAppliance(system: TestSystem, task: Partial<ApexTask> = {}, of?: TestOrganization) {
  const organization = of ?? (await system.newOrganization());
  const machine = await organization.machine('apex');
  const held = await giveTask(organization.table, machine.id, task);
  const submit = (more: object = {}) =>
    machine.client.ok('submitCompletion', {
      body: { taskId: held.id, messages: [{ role: 'user', content: 'What is exposed?' }], ...more },
    });
  /** However long it takes: a busy machine may need more than one wait. */
  const read = async (requestID: string) => {
    for (;;) {
      const result = await machine.client.ok('getCompletion', { params: { requestID }, query: { waitSeconds: 20 } });
      if (result.status !== 'queued' && result.status !== 'running') return result;
    }
  };
  const ask = async (more: object = {}) => read((await submit(more)).requestID);
  return { organization, machine, task: held, submit, read, ask };
}
