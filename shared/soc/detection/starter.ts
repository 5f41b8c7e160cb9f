import { isConflict } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { detectionRules } from './detection-rule.ts';
import { detectionMarks, rulesChanged } from './mark.ts';
import { readContent } from './rule-fields.ts';
import { starterRules } from './starter/list.ts';

/** Raised with each change of the rules. */
export const STARTER_VERSION = 2;

type Marks = { mark: string; starter?: number };

export const hasStarterRules = (marks: Marks | undefined): marks is Marks => (marks?.starter ?? 0) >= STARTER_VERSION;

/** Gives an organization the service's own rules, unless it has them. */
export async function ensureStarterRules(table: Table): Promise<void> {
  if (!hasStarterRules(await table.rows(detectionMarks).find({}, true))) await giveStarterRules(table);
}

/**
 * Gives the rules once, and again when a release has new ones. Existing rules get their new text and stay on or off.
 * Many workers may do it at once, and a kill between two rules loses nothing.
 */
export async function giveStarterRules(table: Table): Promise<void> {
  for (const [name, content] of Object.entries(starterRules())) await giveRule(table, name, content);
  await table.write(rulesChanged(table, { starter: STARTER_VERSION }));
}

async function giveRule(table: Table, starter: string, content: string): Promise<void> {
  const current = await table.findUnique(detectionRules, { field: 'starter', value: starter }, true);
  if (current?.content === content) return;
  const fields = { ...(await readContent(content)), content };
  try {
    if (current) await table.update(detectionRules, current, fields);
    else await table.create(detectionRules, { ...fields, enabled: true, origin: 'starter', starter });
  } catch (error) {
    // another worker gives the same rules
    if (!isConflict(error)) throw error;
  }
}
