import { apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { cancelCampaign, setPaused } from '#shared/apex/campaign.ts';
import { settleRun } from '#shared/apex/settle.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { createCampaign, deleteCampaign, updateCampaign } from './change.ts';
import type { apexCampaignRoutes } from './routes.ts';
import { showCampaign, showRun } from './show.ts';

async function listCampaigns({ table, query }: Call<typeof apexCampaignRoutes.listCampaigns>) {
  const { status, engagementId, search, ...paging } = query;
  if (search !== undefined && (status ?? engagementId) !== undefined)
    throw invalid('search', 'must be sent without status and engagementId');
  const by = search === undefined ? { parent: { engagement: engagementId }, filter: { status } } : { search };
  const page = await table.list(apexCampaigns, { ...paging, ...by });
  return showEach(page, (campaign) => showCampaign(table, campaign));
}

async function listCampaignRuns({ table, params, query }: Call<typeof apexCampaignRoutes.listCampaignRuns>) {
  await table.get(apexCampaigns, params.id);
  const page = await table.list(apexCampaignRuns, { ...query, parent: { campaign: params.id } });
  return showEach(page, (run) => showRun(table, run));
}

/** Settles a run whose tasks have ended, in case a failure came after the last task. */
async function getCampaign({ table, params: { id } }: Call<typeof apexCampaignRoutes.getCampaign>) {
  const shown = await showCampaign(table, await table.get(apexCampaigns, id));
  const { pending, running } = shown.tasks;
  if (!shown.currentRun || pending + running > 0) return shown;
  await settleRun(table, shown.currentRun.id);
  return showCampaign(table, await table.get(apexCampaigns, id, true));
}

export const apexCampaignHandlers: Handlers<typeof apexCampaignRoutes> = {
  listCampaigns,
  createCampaign: ({ table, body }) => createCampaign(table, body),
  getCampaign,
  updateCampaign: ({ table, caller, params, body, ifMatch }) =>
    updateCampaign(table, params.id, { patch: body, ifMatch, caller }),
  async deleteCampaign(call) {
    await call.table.get(apexCampaigns, call.params.id);
    return withSecondPerson(call, () => deleteCampaign(call.table, call.params.id));
  },
  runCampaign: ({ connections, table, params }) => startRun({ connections, table }, params.id),
  cancelCampaign: async ({ table, params }) => showCampaign(table, await cancelCampaign(table, params.id)),
  pauseCampaign: async ({ table, params }) => showCampaign(table, await setPaused(table, params.id, true)),
  resumeCampaign: async ({ table, params }) => showCampaign(table, await setPaused(table, params.id, false)),
  listCampaignRuns,
};
