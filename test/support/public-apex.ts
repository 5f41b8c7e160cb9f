import { work } from '#functions/workers/sweeper/work.ts';
import { apexPresences, readApexPresence, saveApexPresence } from '#shared/apex/presence.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { startWithProvider } from '../functions/apex/apex-llm/world.ts';
import { makeCampaign, openEngagement, run, template } from './apex.ts';
import type { Client } from './client.ts';
import { startLlmServer } from './llm-server.ts';
import type { TestMachine, TestOrganization } from './system.ts';

type Wish = NonNullable<Parameters<typeof makeCampaign>[2]>;

/** Public appliances work on no private network. */
export const PUBLIC = '198.51.100';

/** A system of its own with a model: public appliances serve every organization, those of other tests too. */
export async function startShared() {
  const model = await startLlmServer('openai');
  const settings = { LLM_BASE_URL: `${model.url}/v1`, LLM_MODEL: 'test-model', LLM_SECRET: 'llm-key' };
  const { local, system } = await startWithProvider(settings);
  const providers: Client[] = [];
  const clients: Client[] = [];
  return {
    model,
    local,
    system,
    /** A provider with one appliance that works for everyone. */
    async newProvider(more: { taskTypes?: string[] } = {}) {
      const provider = await system.newOrganization();
      const staff = await provider.withRole('platform_owner');
      providers.push(staff);
      const newAppliance = async (of = more) => {
        const appliance = await provider.machine('apex', of);
        await setPublic(staff, appliance.id);
        return appliance;
      };
      return { provider, staff, newAppliance, appliance: await newAppliance() };
    },
    /** A client whose campaign waits for public appliances. */
    async newClient(wish: Wish = {}, allowExploitation = false) {
      const client = await system.newOrganization();
      clients.push(client.admin);
      const engagementId = await openEngagement(client, allowExploitation, PUBLIC);
      const campaign = await makeCampaign(client, engagementId, { usePublicApex: true, ...wish });
      const runId = await run(client, campaign.id);
      const tasks = async () => (await client.admin.ok('listApexTasks', { query: { runId } })).data;
      const read = () => client.admin.ok('getCampaign', { params: { id: campaign.id } });
      return { client, engagementId, campaign, runId, tasks, read };
    },
    /** Nothing waits, and nobody serves, when the next test begins. */
    async clear() {
      for (const admin of clients.splice(0))
        for (const { id } of (await admin.ok('listCampaigns')).data)
          await admin.call('cancelCampaign', { params: { id } });
      for (const staff of providers.splice(0))
        for (const { id } of (await staff.ok('listPublicAppliances')).data)
          await staff.ok('deletePublicAppliance', { params: { id } });
    },
    /** Leases of an appliance end: they lie so far in the past, and the sweeper passes. */
    async endLeases({ table, organizationId }: TestOrganization, { id }: TestMachine) {
      const before = await readApexPresence(table, id);
      if (!before) throw new Error('no presence');
      const leases = Object.entries(before.leases).map(([taskId, lease]) => [taskId, { ...lease, until: 1 }]);
      await saveApexPresence(table, { before, after: { ...before, leases: Object.fromEntries(leases) } });
      const presence = await table.rows(apexPresences).find({ machineId: id }, true);
      const timer = placedTimer({ at: presence?.timerAt ?? 0, kind: 'apex', organizationId, id });
      await work(local.connections, timer);
    },
    async stop() {
      await model.stop();
      await local.stop();
    },
  };
}
export type SharedSystem = Awaited<ReturnType<typeof startShared>>;

export const setPublic = (staff: Client, id: string, isPublic = true) =>
  staff.ok('updatePublicAppliance', { params: { id }, body: { public: isPublic } });

export const templates = (n: number, more: object = {}) => Array.from({ length: n }, (_, i) => template(`t${i}`, more));
