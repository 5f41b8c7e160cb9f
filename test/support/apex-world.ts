import { createCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { completeAsAppliance } from '#functions/apex/apex-communication/complete.ts';
import { pollAsAppliance } from '#functions/apex/apex-communication/poll.ts';
import { createTask } from '#functions/apex/apex-tasks/change.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexCampaignCreate } from '#shared/apex/apex-campaign.ts';
import { type ApexTask, ApexTaskCreate, apexTasks } from '#shared/apex/apex-task.ts';
import { startRun } from '#shared/apex/start-run.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { applianceDraft } from './apex.ts';
import { workRun } from './random-appliances.ts';
import { linkIn, newWorld } from './scanning-world.ts';

/** An engagement that allows exploitation of two hosts, and an appliance, driven through the functions that the Lambdas run. */
export async function newApexWorld(dynamo: Dynamo) {
  const world = newWorld(dynamo);
  const { table, connections } = world;
  const more = { rulesOfEngagement: { allowExploitation: true } };
  const { id: engagementId } = await world.engage(['10.0.0.1', '10.0.0.2'], { more });
  const { id: applianceId } = await linkIn(table, { entity: apexAppliances, draft: applianceDraft });
  const list = async () => (await table.list(apexTasks, { paginateFrom: 0, paginateSize: 100 })).data;
  return {
    table,
    connections,
    engagementId,
    applianceId,
    engage: world.engage,
    list,
    make: (wish: object = {}) =>
      createTask(
        table,
        ApexTaskCreate.parse({ engagementId, type: 'reconnaissance', objective: 'Look around.', ...wish }),
      ),
    read: (id: string): Promise<ApexTask> => table.get(apexTasks, id, true),
    /** The tasks that the appliance gets with one poll. */
    take: async (capacity = 5) => (await pollAsAppliance(table, { machineId: applianceId, body: { capacity } })).tasks,
    end: (taskId: string, outcome = 'completed') =>
      completeAsAppliance({ connections, table, machineId: applianceId }, [{ taskId, outcome }]),
    /** A campaign that runs. @returns its tasks */
    async run(taskTemplates: object[], wish: object = {}) {
      const draft = { name: 'x', objective: 'x', engagementId, taskTemplates, ...wish };
      const { id } = await createCampaign(table, ApexCampaignCreate.parse(draft));
      const { taskId } = await startRun({ connections, table }, id);
      await workRun({ connections, table }, taskId);
      return (await list()).filter(({ campaignId }) => campaignId === id);
    },
  };
}

export type ApexWorld = Awaited<ReturnType<typeof newApexWorld>>;
