import { inOneForm, partDigest } from '#shared/assets/inventory/part.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { AgentReport } from '#shared/scanning/agents/agent.ts';
import { foldHours } from '#shared/scanning/agents/history.ts';
import { type AgentPresence, agentMachines } from '#shared/scanning/agents/presence.ts';
import { HOUR } from '#shared/scanning/agents/retention.ts';
import { acceptable, addSamples } from '#shared/scanning/agents/samples.ts';
import { readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { isHeartbeatDue } from '#shared/scanning/machines/presence.ts';
import { PresenceMoved, savePresence } from '#shared/scanning/machines/save-presence.ts';
import { planHours } from './hours.ts';
import { agentRemoved, applyNews, digestOf, type News } from './news.ts';
import type { AgentReportAnswer } from './routes.ts';

type AgentContext = Context & { agentId: string };

/** Takes a report. Sending the same report again changes nothing. @throws unauthorized when the agent was removed */
export function takeReport(at: AgentContext, body: AgentReport): Promise<AgentReportAnswer> {
  const news = { agentId: at.agentId, body, inventory: body.software && inOneForm({ software: body.software }) };
  return retry(async (attempt) => {
    const before = await readPresence(at, attempt > 1);
    if (!before.enabled) return heartbeat(at, before);
    const samples = acceptable(body.samples ?? []);
    await addSamples(at.table, at.agentId, samples);
    const touched = [...new Set(samples.map((sample) => Math.floor(sample.at / HOUR)))];
    const after = await recordReport(at, { before, news, touched });
    return answer(after, { samples: samples.length, software: body.software?.length ?? 0 });
  });
}

async function readPresence({ table, agentId }: AgentContext, consistent: boolean): Promise<AgentPresence> {
  const copy = consistent ? undefined : await table.rows(agentMachines.rows).find({ machineId: agentId });
  const presence = copy ?? (await readMachinePresence(agentMachines, table, agentId));
  if (!presence) throw agentRemoved();
  return presence;
}

const answer = (presence: AgentPresence, accepted: AgentReportAnswer['accepted']): AgentReportAnswer => ({
  assetId: presence.assetId,
  accepted,
  softwareWanted: presence.enabled && presence.software === null,
  nextReportSeconds: presence.intervalSeconds,
});

/** A disabled agent keeps only its time of contact. */
async function heartbeat({ table }: AgentContext, before: AgentPresence): Promise<AgentReportAnswer> {
  if (isHeartbeatDue(before)) await savePresence(agentMachines, table, { before, after: withContact(before) });
  return answer(before, { samples: 0, software: 0 });
}

const withContact = (presence: AgentPresence): AgentPresence => ({
  ...presence,
  online: true,
  lastSeenAt: nowMs(),
  toldSeconds: presence.intervalSeconds,
});

type NewReport = { before: AgentPresence; news: News; touched: number[] };

/** Folds the hours that are due and writes the changes. Most reports write nothing; the presence is written once a minute. */
async function recordReport(at: AgentContext, { before, news, touched }: NewReport): Promise<AgentPresence> {
  const { table, agentId } = at;
  const batch = table.batch();
  const described = isNews(before, news) ? await recordNews(at, { before, news, batch }) : before;
  const isRecorded =
    described !== before ||
    isHeartbeatDue(before) ||
    before.toldSeconds !== before.intervalSeconds ||
    Math.max(...touched) > before.openHour;
  const { fold, ...hours } = planHours(before, touched, isRecorded);
  await foldHours(table, agentId, fold);
  if (!isRecorded) {
    if (touched.length > 0) await assertUnmoved(at, before);
    return before;
  }
  const after = withContact({ ...described, ...hours });
  return savePresence(agentMachines, table, { before, after, batch }).catch(asPresenceMoved);
}

/** Another agent or a scan made the same asset at the same moment: the next attempt finds that asset. */
function asPresenceMoved(error: unknown): never {
  const isTaken = error instanceof ApiError && error.details?.some(({ path }) => path === 'identity');
  throw isTaken ? new PresenceMoved() : error;
}

/** The hour must still be open after its samples were written; otherwise it may have been folded without them. */
async function assertUnmoved({ table, agentId }: AgentContext, before: AgentPresence): Promise<void> {
  const current = await table.rows(agentMachines.rows).find({ machineId: agentId }, true);
  if (current?.rev !== before.rev) throw new PresenceMoved();
}

/**
 * Whether the report differs from the agent's record or its asset, or is the first of a day, which the asset records.
 */
function isNews(before: AgentPresence, { body, inventory }: News): boolean {
  if (!before.online || before.stale || before.assetId === null || before.assetZone !== before.zone) return true;
  if (Math.floor(before.lastSeenAt / DAY_MS) < Math.floor(nowMs() / DAY_MS)) return true;
  const said = digestOf(body);
  if (said !== undefined && said !== before.said) return true;
  return inventory !== undefined && partDigest(inventory) !== before.software;
}

async function recordNews(
  { connections, table }: AgentContext,
  { before, news, batch }: { before: AgentPresence; news: News; batch: Batch },
): Promise<AgentPresence> {
  const { agent, moved } = await applyNews(connections, table, { news, batch });
  return {
    ...before,
    ...agentMachines.profileOf(agent),
    stale: false,
    assetId: agent.assetId,
    assetZone: agent.zone,
    said: digestOf(news.body) ?? before.said,
    software: (news.inventory && partDigest(news.inventory)) ?? (moved ? null : before.software),
  };
}
