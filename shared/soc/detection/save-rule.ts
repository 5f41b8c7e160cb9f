import { type Deletion, mergePatch } from '#shared/platform/http/records.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readSigma } from '../sigma/read.ts';
import type { SigmaText } from '../sigma/rule.ts';
import { DetectionRule, detectionRules } from './detection-rule.ts';
import { assertEndsLater } from './exceptions.ts';
import { rulesChanged } from './mark.ts';
import { assertUncounted, dependantsOf, isCountedAlike, referencesOf } from './references.ts';
import { answered, fieldsOfText } from './rule-fields.ts';
import { ensureStarterRules } from './starter.ts';

/** All rules of SigmaHQ and as many again: an event meets those whose texts it has. */
const MAX_RULES = 8_000;
/** A worker has the texts of all rules in its memory; those of SigmaHQ have 11 million. */
const MAX_CHARACTERS = 24_000_000;

type Written = Pick<DetectionRule, 'content' | 'enabled' | 'effect' | 'exceptions'>;

/** @throws validation_failed for a text that cannot be evaluated and for an exception that ended, conflict for one rule too many */
export async function createRule(table: Table, written: Written): Promise<DetectionRule> {
  await ensureStarterRules(table);
  const draft = await draftRule(table, written);
  takeRoom(await roomFor(table), { rules: 1, characters: draft.content.length });
  return table.create(detectionRules, draft, (batch) => batch.write(rulesChanged(table)));
}

/** The fields of a new rule. @throws validation_failed for a text that cannot be evaluated */
export async function draftRule(table: Table, { content, enabled, effect, exceptions }: Written) {
  assertEndsLater(exceptions);
  const fields = await readFields(table, content, { enabled });
  return { ...fields, content, enabled, effect, exceptions, origin: 'custom' as const, starter: null };
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

type Room = { rules: number; characters: number };

/** The rules that an organization may still have, and the characters of their texts. */
export async function roomFor(table: Table): Promise<Room> {
  const { totalCount } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 1 });
  const { characters = 0 } = await table.facets(detectionRules);
  return { rules: MAX_RULES - totalCount, characters: MAX_CHARACTERS - characters };
}

/** @throws conflict for one rule too many, or texts that are too long together */
export function takeRoom(room: Room, { rules, characters }: Room): void {
  if (rules > Math.max(room.rules, 0))
    throw fixedLimit('An organization', MAX_RULES, 'detection rules, with those of the service');
  if (characters > Math.max(room.characters, 0))
    throw fixedLimit('An organization', MAX_CHARACTERS, 'characters in the texts of its detection rules');
  room.rules -= rules;
  room.characters -= characters;
}

type Patch = { patch: object; ifMatch?: string | undefined };

/** @throws validation_failed, and conflict for the text of a starter rule */
export const updateRule = (table: Table, id: string, { patch, ifMatch }: Patch): Promise<DetectionRule> =>
  retry(async () => {
    const current = await table.get(detectionRules, id, true);
    const changes = mergePatch(DetectionRule, current, { patch, ...(ifMatch !== undefined && { ifMatch }) });
    if (!changes) return current;
    const next = await changedRule(table, current, changes);
    const characters = (changes.content?.length ?? 0) - current.content.length;
    if (changes.content !== undefined) takeRoom(await roomFor(table), { rules: 0, characters });
    return table.update(detectionRules, current, next, (batch) => batch.write(rulesChanged(table)));
  });

/**
 * The changes of a rule with what follows from them.
 * @throws validation_failed for a text that cannot be evaluated, and conflict for the text of a starter rule
 */
export async function changedRule(
  table: Table,
  current: DetectionRule,
  changes: Partial<DetectionRule>,
): Promise<Partial<DetectionRule>> {
  if (changes.content !== undefined && current.origin === 'starter')
    throw conflict(
      'The text of a starter rule cannot change: send the text as your own rule, and disable the starter rule.',
    );
  assertEndsLater(changes.exceptions, current.exceptions);
  if (changes.enabled === false || changes.content !== undefined) await assertCountedAsBefore(table, current, changes);
  const { content = current.content, enabled = current.enabled } = changes;
  const isRead = changes.content !== undefined || changes.enabled === true;
  const fields = isRead ? await readFields(table, content, { id: current.id, enabled, before: current }) : {};
  const reason = changes.enabled && current.switchedOffReason ? { switchedOffReason: null } : {};
  return { ...changes, ...fields, ...reason };
}

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
