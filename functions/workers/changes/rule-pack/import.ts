import * as z from 'zod';
import { type ManyResult, refusal } from '#shared/findings/bulk/decision.ts';
import { type Decided, type Part, workParts } from '#shared/findings/bulk/slices.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import { endsTask, TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { recordsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type DetectionRule, detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { rulesChanged } from '#shared/soc/detection/mark.ts';
import { changedRule, draftRule, roomFor, takeRoom } from '#shared/soc/detection/save-rule.ts';
import { ensureStarterRules } from '#shared/soc/detection/starter.ts';
import { Pack, readPack } from './texts.ts';

const Input = z.object({ key: z.string(), name: z.string(), enabled: z.boolean() });

/** Creates the rules of a pack that the organization does not have, and changes those with another text. */
export async function importRulePack(work: Work): Promise<Record<string, unknown> | undefined> {
  const { enabled } = Input.parse(work.task.input);
  const pack = await keptPack(work);
  await ensureStarterRules(work.table);
  const levels = [...new Set(pack.texts.map(({ level }) => level))].sort();
  const results = await workParts(
    work,
    levels.map((level) => partOf(work.table, { pack, level, enabled })),
  );
  if (!results) return undefined;
  const sum = (of: (result: ManyResult) => number) => results.reduce((all, one) => all + of(one), 0);
  const refused = [
    ...pack.refused,
    ...results.flatMap((one) => one.refused.map(({ id: file, message }) => ({ file, message }))),
  ];
  return {
    created: sum(({ kinds }) => kinds?.created ?? 0),
    updated: sum(({ kinds }) => kinds?.updated ?? 0),
    unchanged: sum(({ unchanged }) => unchanged),
    refused: refused.slice(0, MAX_REFUSED),
    refusedCount: pack.refused.length + sum(({ refusedCount }) => refusedCount),
  };
}

/** The refused rules that a result names. */
export const MAX_REFUSED = 100;

/** The texts of the pack, which the first delivery reads once. */
async function keptPack({ connections: { bucket }, table, task }: Work): Promise<Pack> {
  const kept = `${taskFolder(table.organizationId, task.id)}/pack`;
  const known = await bucket.get(kept);
  if (known) return Pack.parse(JSON.parse(Buffer.from(known).toString()));
  const { key, name } = Input.parse(task.input);
  const bytes = await bucket.get(key);
  if (!bytes) throw new TaskFailure('not_found', 'The uploaded pack is not kept any more: upload it again.');
  const pack = await readPack(Buffer.from(bytes), name);
  await bucket.put(kept, JSON.stringify(pack));
  return pack;
}

type Level = { pack: Pack; level: number; enabled: boolean };

/** The rules of one level, after the rules that they count. */
const partOf = (table: Table, { pack: { texts }, level, enabled }: Level): Part => ({
  collections: [],
  select: async () => texts.flatMap((text, n) => (text.level === level ? n : [])),
  decide: (items) =>
    decideOn(
      table,
      items.flatMap((n) => texts[Number(n)] ?? []),
      enabled,
    ),
});

type Text = Pack['texts'][number];

async function decideOn(table: Table, texts: readonly Text[], enabled: boolean): Promise<Decided[]> {
  const [room, known, ids] = await Promise.all([
    roomFor(table),
    ownRules(table, texts),
    table.reserve(detectionRules, texts.length),
  ]);
  const decided: Decided[] = [];
  for (const [n, text] of texts.entries()) {
    const current = known.get(text.id);
    const decide = () =>
      current ? updated(table, current, text) : created(table, text, { id: ids[n] ?? '', enabled });
    decided.push(
      await orRefused(text, async () => {
        const one = await decide();
        if (one.outcome !== 'changed') return one;
        takeRoom(room, { rules: current ? 0 : 1, characters: text.content.length - (current?.content.length ?? 0) });
        return { ...one, bytes: Buffer.byteLength(text.content) };
      }),
    );
  }
  return decided;
}

/** The own rules of the organization that have an id of these texts. */
async function ownRules(table: Table, texts: readonly Text[]): Promise<Map<string, DetectionRule>> {
  const wanted = new Set(texts.map(({ id }) => id));
  const own = await recordsOf(table, detectionRules, { where: { origin: 'custom' } });
  const ordinals = own.flatMap(({ id, sigmaId }) => (sigmaId !== null && wanted.has(sigmaId) ? ordinalOf(id) : []));
  const whole = await wholeRecordsAt(table, detectionRules, { ordinals, consistent: true });
  return new Map(whole.map((rule) => [rule.sigmaId ?? '', rule]));
}

type New = { id: string; enabled: boolean };

async function created(table: Table, { content, isCounted }: Text, { id, enabled }: New): Promise<Decided> {
  const effect = isCounted ? ('signal' as const) : undefined;
  const draft = await draftRule(table, { content, enabled, effect, exceptions: undefined });
  return {
    outcome: 'changed',
    kind: 'created',
    change({ table: own, batch }) {
      batch.create(detectionRules, own.stamp<DetectionRule>({ ...draft, id }));
      batch.write(rulesChanged(own));
      return undefined;
    },
  };
}

async function updated(table: Table, current: DetectionRule, { content }: Text): Promise<Decided> {
  if (current.content === content) return { outcome: 'unchanged' };
  const changes = await changedRule(table, current, { content });
  return {
    outcome: 'changed',
    kind: 'updated',
    change({ table: own, batch }) {
      batch.update(detectionRules, current, own.changed<DetectionRule, never>(current, changes));
      batch.write(rulesChanged(own));
      return undefined;
    },
  };
}

async function orRefused({ file }: Text, decide: () => Promise<Decided>): Promise<Decided> {
  try {
    return await decide();
  } catch (error) {
    if (!endsTask(error)) throw error;
    return refusal({ id: file, code: error.code, message: error.message });
  }
}
