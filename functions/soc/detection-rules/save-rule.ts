import { type Deletion, mergePatch } from '#shared/platform/http/records.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { DetectionRule, detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { rulesChanged } from '#shared/soc/detection/mark.ts';
import { readContent } from '#shared/soc/detection/rule-fields.ts';
import { ensureStarterRules } from '#shared/soc/detection/starter.ts';

/** All rules of SigmaHQ and as many again: an event meets those whose texts it has. */
const MAX_RULES = 8_000;
/** A worker has the texts of all rules in its memory; those of SigmaHQ have 11 million. */
const MAX_CHARACTERS = 24_000_000;

/** @throws validation_failed for a text that cannot be evaluated, conflict for one rule too many */
export async function createRule(
  table: Table,
  { content, enabled, effect, exceptions }: Pick<DetectionRule, 'content' | 'enabled' | 'effect' | 'exceptions'>,
): Promise<DetectionRule> {
  const fields = await readContent(content);
  await ensureStarterRules(table);
  await assertRoom(table, { rules: 1, characters: content.length });
  const draft = { ...fields, content, enabled, effect, exceptions, origin: 'custom' as const, starter: null };
  return table.create(detectionRules, draft, (batch) => batch.write(rulesChanged(table)));
}

/** @throws conflict for one rule too many, or texts that are too long together */
async function assertRoom(table: Table, more: { rules: number; characters: number }): Promise<void> {
  const { totalCount } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount + more.rules > MAX_RULES)
    throw fixedLimit('An organization', MAX_RULES, 'detection rules, with those of the service');
  const { characters = 0 } = await table.facets(detectionRules);
  if (characters + more.characters > MAX_CHARACTERS)
    throw fixedLimit('An organization', MAX_CHARACTERS, 'characters in the texts of its detection rules');
}

type Patch = { patch: object; ifMatch?: string | undefined };

/** @throws validation_failed, and conflict for the text of a starter rule */
export const updateRule = (table: Table, id: string, { patch, ifMatch }: Patch): Promise<DetectionRule> =>
  retry(async () => {
    const current = await table.get(detectionRules, id, true);
    const changes = mergePatch(DetectionRule, current, { patch, ...(ifMatch !== undefined && { ifMatch }) });
    if (!changes) return current;
    if (changes.content !== undefined && current.origin === 'starter')
      throw conflict(
        'The text of a starter rule cannot change: send the text as your own rule, and disable the starter rule.',
      );
    const fields = changes.content === undefined ? {} : await readContent(changes.content);
    const characters = (changes.content?.length ?? 0) - current.content.length;
    if (changes.content !== undefined && characters > 0) await assertRoom(table, { rules: 0, characters });
    const reason = changes.enabled && current.switchedOffReason ? { switchedOffReason: null } : {};
    return table.update(detectionRules, current, { ...changes, ...fields, ...reason }, (batch) =>
      batch.write(rulesChanged(table)),
    );
  });

/** @throws conflict for a starter rule, which would come back */
export const deleteRule = (table: Table, id: string): Promise<Deletion> =>
  retry(async () => {
    const current = await table.get(detectionRules, id, true);
    if (current.origin === 'starter') throw conflict('A starter rule cannot be deleted: disable it.');
    return table.delete(detectionRules, current, (batch) => batch.write(rulesChanged(table)));
  });
