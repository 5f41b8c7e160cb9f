import { DAY_MS, now } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type ApexCampaign, apexCampaigns } from './apex-campaign.ts';
import { type ApexTask, apexTasks, noUsage, type TokenUsage } from './apex-task.ts';

/*
 * Budgets of model calls. Before a call its maximum is reserved from three budgets at once: of its task, of its
 * campaign's run and of the organization's month. After the call the real usage is settled. A budget is one row with a
 * condition on its limit, so that simultaneous calls never exceed it together.
 */

/** Tokens of one organization in a calendar month (UTC). */
export const ORGANIZATION_TOKENS = 50_000_000;

/** `owner`: `task:<id>`, `run:<id>` or `month:2026-11`. `spent`: tokens that were used or are reserved now. */
type BudgetRow = TokenUsage & { owner: string; spent: number };
export const budgets = defineRow<BudgetRow, Pick<BudgetRow, 'owner'>>({
  name: 'budget',
  about: 'the tokens that a task, a run or a month has used and reserved',
  key: ({ owner }) => [owner],
});

/** A reservation that is not settled yet. It makes a repeated `reserveTokens` or `settleTokens` harmless. */
type Reservation = { id: string; tokens: number; owners: string[]; at: string };
export const reservations = defineRow<Reservation, Pick<Reservation, 'id'>>({
  name: 'budget-hold',
  about: 'a reservation of tokens that is not settled yet',
  key: ({ id }) => [id],
  expiresAt: ({ at }) => new Date(Date.parse(at) + 90 * DAY_MS).toISOString(),
});

type Budget = { owner: string; limit: number | null };
type BudgetOf = Pick<ApexTask, 'id' | 'runId' | 'limits'>;
type Limits = Pick<ApexCampaign, 'limits'> | undefined;

const monthOf = (): string => `month:${now().slice(0, 7)}`;

function budgetsOf(task: BudgetOf, campaign: Limits): Budget[] {
  const run = task.runId === null ? [] : [{ owner: `run:${task.runId}`, limit: campaign?.limits.maxTokens ?? null }];
  const ofTask = { owner: `task:${task.id}`, limit: task.limits.maxTokens };
  return [ofTask, ...run, { owner: monthOf(), limit: ORGANIZATION_TOKENS }];
}

const campaignOf = (table: Table, { campaignId }: Pick<ApexTask, 'campaignId'>): Promise<ApexCampaign | undefined> =>
  campaignId === null ? Promise.resolve(undefined) : table.find(apexCampaigns, campaignId);

class BudgetExhausted extends Error {}
class AlreadyDone extends Error {}

/**
 * Reserves tokens for one model call.
 * @param reservation `id`: of the call; a second reservation for the same call reserves nothing more
 * @returns false when a budget has too few tokens left; nothing is reserved then
 * @throws not_found
 */
export async function reserveTokens(
  table: Table,
  { id, taskId }: { id: string; taskId: string },
  tokens: number,
): Promise<boolean> {
  const task = await table.get(apexTasks, taskId);
  const limited = budgetsOf(task, await campaignOf(table, task));
  const row = { id, tokens, owners: limited.map(({ owner }) => owner), at: now() };
  const batch = table.batch();
  batch.write(putWrite(table.tenant, reservations, { row, expect: 'absent', fail: () => new AlreadyDone() }));
  batch.write(...limited.map((budget) => spend(table, budget, tokens)));
  try {
    await batch.commit();
    return true;
  } catch (error) {
    if (error instanceof AlreadyDone) return true;
    if (error instanceof BudgetExhausted) return false;
    throw error;
  }
}

function spend(table: Table, { owner, limit }: Budget, tokens: number): Write {
  const spending = { change: rowKey(table.tenant, budgets, { owner }), set: { owner }, add: { spent: tokens } };
  if (limit === null) return spending;
  // a missing row has spent nothing; a limit below the wish always fails
  const ConditionExpression = limit < tokens ? 'spent < :least' : 'attribute_not_exists(spent) OR spent <= :most';
  const ExpressionAttributeValues = limit < tokens ? { ':least': -1 } : { ':most': limit - tokens };
  return {
    ...spending,
    condition: { ConditionExpression, ExpressionAttributeValues },
    fail: () => new BudgetExhausted(),
  };
}

type Used = { inputTokens: number; outputTokens: number; seconds: number };

/**
 * Books the usage of a call and releases the rest of its reservation. A failed call used nothing. A second settlement,
 * or one without a reservation, changes nothing.
 */
export async function settleTokens(table: Table, id: string, used: Used): Promise<void> {
  const held = await table.rows(reservations).find({ id }, true);
  if (!held) return;
  const batch = table.batch();
  const remove = rowKey(table.tenant, reservations, { id });
  const condition = { ConditionExpression: 'attribute_exists(pk)' };
  batch.write({ remove, condition, fail: () => new AlreadyDone() });
  batch.write(...held.owners.map((owner) => book(table, owner, { used, reserved: held.tokens })));
  await batch.commit().catch((error: unknown) => {
    if (!(error instanceof AlreadyDone)) throw error;
  });
}

function book(table: Table, owner: string, { used, reserved }: { used: Used; reserved: number }): Write {
  const { inputTokens, outputTokens, seconds } = used;
  const amounts = {
    spent: inputTokens + outputTokens - reserved,
    inputTokens,
    outputTokens,
    seconds: Math.ceil(seconds),
    calls: inputTokens + outputTokens > 0 ? 1 : 0,
  };
  return { change: rowKey(table.tenant, budgets, { owner }), add: amounts };
}

/** Tokens that a task may still use: the smallest remainder of its budgets. */
export async function tokensLeft(table: Table, taskId: string): Promise<number> {
  const task = await table.get(apexTasks, taskId);
  return lowestRemainder(table, budgetsOf(task, await campaignOf(table, task)));
}

/** Tokens that the organization may still use this month. */
export const tokensLeftThisMonth = (table: Table): Promise<number> =>
  lowestRemainder(table, [{ owner: monthOf(), limit: ORGANIZATION_TOKENS }]);

async function lowestRemainder(table: Table, limited: Budget[]): Promise<number> {
  const rows = await table.rows(budgets).findMany(limited.map(({ owner }) => ({ owner })));
  const spent = new Map(rows.map((row) => [row.owner, row.spent]));
  const amounts = limited.flatMap(({ owner, limit }) => (limit === null ? [] : [limit - (spent.get(owner) ?? 0)]));
  return Math.max(0, Math.min(...amounts));
}

/** The usage of all calls of a task or of a campaign's run so far. */
export async function usageOf(table: Table, whose: { taskId: string } | { runId: string }): Promise<TokenUsage> {
  const owner = 'taskId' in whose ? `task:${whose.taskId}` : `run:${whose.runId}`;
  const row = await table.rows(budgets).find({ owner });
  const { inputTokens = 0, outputTokens = 0, calls = 0, seconds = 0 } = row ?? noUsage;
  return { inputTokens, outputTokens, calls, seconds };
}
