import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Asset } from '#shared/assets/asset/asset.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { assetsBehind, type Behind } from '#shared/findings/branches/tried-rules.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { FROM_ASSET, fromAsset } from '#shared/findings/sla/rating.ts';
import { learnTraits, readSla } from '#shared/findings/sla/sla-policies.ts';
import { decideByRules } from '#shared/findings/suppression/decide.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import { redated } from './redate.ts';

/** `draft`: of a preview, the asset as it would be. */
const Input = z.object({ assetIds: z.array(z.uuid()), draft: Asset.optional() });

/** Brings the findings of assets to what follows from these, and to what SLA policies and suppression rules say, after assets were changed. */
export async function applyAssetChange(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task } = work;
  const { assetIds, draft } = Input.parse(task.input);
  const where = { asset: assetIds };
  const [sla, rules] = await Promise.all([readSla(table), readRules(table)]);
  if (draft) sla.assets.set(draft.id, draft);
  let behind: Behind = new Map();
  return changeMany(work, {
    whole: true,
    select: async () =>
      (await Promise.all([findings, branchFindings].map((entity) => ordinalsOf(table, entity, { where })))).flat(),
    async prepare(found) {
      behind = withDraft(await assetsBehind(table, rules, found), draft);
      await learnTraits(table, sla, found, true);
    },
    decide(finding) {
      const ruled = decideByRules(rules, finding, { at: now(), behind: behind.get(finding.asset.id) });
      const given = fromAsset(sla.assets.get(finding.asset.id));
      const rated = FROM_ASSET.every((name) => isDeepStrictEqual(given[name], finding[name])) ? {} : given;
      const changes: Partial<StoredFinding> = { ...ruled, ...rated, ...redated(sla, { ...finding, ...ruled }) };
      const reason = ruled?.statusReason ?? 'The asset was changed.';
      return Object.keys(changes).length > 0 ? { changes, reason } : undefined;
    },
  });
}

function withDraft(behind: Behind, draft: Asset | undefined): Behind {
  const current = draft && behind.get(draft.id);
  return current ? new Map([...behind, [draft.id, { ...draft, branches: current.branches }]]) : behind;
}
