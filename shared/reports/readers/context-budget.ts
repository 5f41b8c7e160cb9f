import { tooManyParts } from './json-limits.ts';

/** The approximate memory that the context of all entries may take: parts of a report that apply to many entries. */
export type ContextBudget = { bytes: number };
const CONTEXT_BYTES = 64 * 1024 * 1024;

export const newContextBudget = (): ContextBudget => ({ bytes: CONTEXT_BYTES });

/** A reader leaves long texts out once the budget is used up; a report that goes on after that is refused. */
export function spend(budget: ContextBudget, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes > -CONTEXT_BYTES) return;
  throw tooManyParts();
}
