import * as z from 'zod';
import { continueNow, keepStep } from '#shared/platform/jobs/continue.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { openByRules, recordsFor } from '#shared/ticketing/by-rules.ts';
import { concernedIds, concernedOrdinals } from '#shared/ticketing/rules.ts';
import { ticketRules } from '#shared/ticketing/ticket-rule.ts';
import type { AppliedTicketRule } from './results.ts';

const Input = z.object({ ruleId: z.uuid() });

/** The records before this ordinal are left. */
const Checkpoint = z.object({
  before: z.number().default(Number.MAX_SAFE_INTEGER),
  looked: z.int().default(0),
  opened: z.int().default(0),
  slice: z.int().default(0),
});

const STEP = 100;
const SLICE_MS = 40_000;

/** Opens tickets for the open records that a rule meets, in slices. */
export async function applyTicketRule(work: Work): Promise<AppliedTicketRule | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const { table } = work;
  const { ruleId } = Input.parse(work.task.input);
  let { task } = work;
  let at = Checkpoint.parse(task.checkpoint ?? {});
  const rule = await table.find(ticketRules, ruleId, true);
  if (!rule?.enabled) return { looked: at.looked, opened: at.opened };
  const left = (await concernedOrdinals(table, rule)).filter((ordinal) => ordinal < at.before);
  const total = at.looked + left.length;
  for (const part of chunksOf(left, STEP)) {
    const ids = await concernedIds(table, rule, part);
    const opened = at.opened + (await openByRules(work, [rule], recordsFor(rule.opensFor, ids)));
    const looked = at.looked + part.length;
    const isOver = elapsedMs() > end;
    at = { before: part.at(-1) ?? 0, looked, opened, slice: at.slice + Number(isOver) };
    task = await keepStep(table, task, { checkpoint: at, progress: { done: looked, total, unit: 'records' } });
    if (isOver) return continueNow({ ...work, task, group: ruleId }, at.slice);
  }
  return { looked: at.looked, opened: at.opened };
}
