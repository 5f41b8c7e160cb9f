import { assets } from '#shared/assets/asset/asset.ts';
import { assetViews } from '#shared/assets/asset/view.ts';
import { mergeSuggestions, type StoredSuggestion } from '#shared/assets/identity/merge-suggestion.ts';
import { reasonOf, seenIn } from '#shared/assets/identity/suggestion.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { MergeSuggestion, SuggestionQuery } from './suggestion.ts';

export function listSuggestions(table: Table, { status, assetId, ...page }: SuggestionQuery) {
  const where = status === undefined && assetId === undefined ? undefined : { status, asset: assetId };
  return showPage(table.list(mergeSuggestions, { ...page, ...(where && { where }) }), (some) =>
    showSuggestions(table, some),
  );
}

async function showSuggestions(table: Table, some: readonly StoredSuggestion[]): Promise<MergeSuggestion[]> {
  const current = await table.findMany(
    assets,
    some.flatMap(({ assetId, intoId }) => [assetId, intoId]),
  );
  const views = new Map((await assetViews(table, current)).map((asset) => [asset.id, asset]));
  return some.map(({ seen: _seen, assetPlace: _asset, intoPlace: _into, ...suggestion }) => ({
    ...suggestion,
    reason: reasonOf(suggestion.evidence),
    asset: views.get(suggestion.assetId) ?? null,
    into: views.get(suggestion.intoId) ?? null,
  }));
}

/** @throws not_found, conflict where it was decided on before */
async function openSuggestion(table: Table, id: string): Promise<StoredSuggestion> {
  const suggestion = await table.get(mergeSuggestions, id, true);
  if (suggestion.status !== 'open')
    throw conflict(`The suggestion is ${suggestion.status} since ${suggestion.decidedAt}.`);
  return suggestion;
}

const decidedBy = (table: Table) => ({ decidedBy: table.actor, decidedAt: now() });

/** Merges the two assets; the answer and the merge are one transaction. */
export async function acceptSuggestion(context: Context, id: string): Promise<QueuedResponse> {
  const suggestion = await openSuggestion(context.table, id);
  const { assetId, intoId, evidence } = suggestion;
  const because = reasonOf(evidence);
  return queueMerge(
    context,
    { assetId, intoId },
    {
      because,
      also(batch, taskId) {
        const changes = { status: 'accepted' as const, ...decidedBy(context.table), taskId };
        batch.update(mergeSuggestions, suggestion, context.table.changed<StoredSuggestion, never>(suggestion, changes));
      },
    },
  );
}

export async function dismissSuggestion(table: Table, id: string): Promise<MergeSuggestion> {
  const suggestion = await openSuggestion(table, id);
  const seen = [...new Set([...suggestion.seen, ...seenIn(suggestion.evidence)])];
  const next = await table.update<StoredSuggestion, never>(mergeSuggestions, suggestion, {
    status: 'dismissed',
    ...decidedBy(table),
    seen,
  });
  const [shown] = await showSuggestions(table, [next]);
  if (!shown) throw new Error('a suggestion that was read can be shown');
  return shown;
}
