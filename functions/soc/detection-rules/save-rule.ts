import { type Deletion, mergePatch } from '#shared/platform/http/records.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { DetectionRule, detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { rulesChanged } from '#shared/soc/detection/mark.ts';
import { assertUncounted, dependantsOf, isCountedAlike, referencesOf } from '#shared/soc/detection/references.ts';
import { answered, fieldsOfText } from '#shared/soc/detection/rule-fields.ts';
import { ensureStarterRules } from '#shared/soc/detection/starter.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import type { SigmaText } from '#shared/soc/sigma/rule.ts';

/** All rules of SigmaHQ and as many again: an event meets those whose texts it has. */
const MAX_RULES = 8_000;
/** A worker has the texts of all rules in its memory; those of SigmaHQ have 11 million. */
const MAX_CHARACTERS = 24_000_000;

/** @throws validation_failed for a text that cannot be evaluated, conflict for one rule too many */
export async function createRule(
  table: Table,
  { content, enabled, effect, exceptions }: Pick<DetectionRule, 'content' | 'enabled' | 'effect' | 'exceptions'>,
): Promise<DetectionRule> {
  await ensureStarterRules(table);
  const fields = await readFields(table, content, { enabled });
  await assertRoom(table, { rules: 1, characters: content.length });
  const draft = { ...fields, content, enabled, effect, exceptions, origin: 'custom' as const, starter: null };
  return table.create(detectionRules, draft, (batch) => batch.write(rulesChanged(table)));
}

type Own = { id?: string; enabled: boolean };

/** The fields of a record that come from its text, and the stored rules that it counts. */
const readFields = (table: Table, content: string, { before, ...own }: Own & { before?: DetectionRule }) =>
  answered(async () => {
    const text = await readSigma(content);
    const counts = await referencesOf(table, text, own);
    return { ...fieldsOfText(text), counts, learnsUntil: await learningOf(text, before) };
  });

/** A rule for new values learns from now on, unless it ran before with the same values. */
async function learningOf({ newTerms }: SigmaText, before?: DetectionRule): Promise<string | null> {
  if (!newTerms) return null;
  const wasLearning = before?.enabled && before.learnsUntil ? (await readSigma(before.content)).newTerms : null;
  const isSame = JSON.stringify(wasLearning) === JSON.stringify(newTerms);
  return isSame && before?.learnsUntil ? before.learnsUntil : inSeconds(newTerms.windowSeconds);
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
    if (changes.enabled === false || changes.content !== undefined)
      await assertCountedAsBefore(table, current, changes);
    const { content = current.content, enabled = current.enabled } = changes;
    const isRead = changes.content !== undefined || changes.enabled === true;
    const fields = isRead ? await readFields(table, content, { id, enabled, before: current }) : {};
    const characters = (changes.content?.length ?? 0) - current.content.length;
    if (changes.content !== undefined && characters > 0) await assertRoom(table, { rules: 0, characters });
    const reason = changes.enabled && current.switchedOffReason ? { switchedOffReason: null } : {};
    return table.update(detectionRules, current, { ...changes, ...fields, ...reason }, (batch) =>
      batch.write(rulesChanged(table)),
    );
  });

/** @throws conflict when a change takes a rule away from others that count it */
async function assertCountedAsBefore(
  table: Table,
  { id, content: before }: DetectionRule,
  { content, enabled }: Partial<DetectionRule>,
): Promise<void> {
  const dependants = await dependantsOf(table, id);
  if (enabled === false)
    assertUncounted(
      dependants.filter((one) => one.enabled),
      'turn them off first.',
    );
  if (content === undefined || dependants.length === 0) return;
  const [one, other] = await answered(() => Promise.all([before, content].map(readSigma)));
  if (one && other && !isCountedAlike(one, other))
    assertUncounted(dependants, 'its id, its name and its group-by must stay, or change them first.');
}

/** @throws conflict for a starter rule, which would come back, and for a rule that others count */
export const deleteRule = (table: Table, id: string): Promise<Deletion> =>
  retry(async () => {
    const current = await table.get(detectionRules, id, true);
    if (current.origin === 'starter') throw conflict('A starter rule cannot be deleted: disable it.');
    assertUncounted(await dependantsOf(table, id), 'delete or change them first.');
    return table.delete(detectionRules, current, (batch) => batch.write(rulesChanged(table)));
  });
