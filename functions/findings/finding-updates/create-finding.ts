import { type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { targetOf } from '#shared/assets/targets/named.ts';
import { refName } from '#shared/assets/targets/repository.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { ensureAssets } from '#shared/findings/finding/assets.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { MANUAL, manualFingerprint, writtenFields } from '#shared/findings/finding/manual.ts';
import type { FindingCreate } from '#shared/findings/finding/manual-finding.ts';
import { fromAsset, ratingOf } from '#shared/findings/sla/rating.ts';
import { dueFields, learnTraits, readSla } from '#shared/findings/sla/sla-policies.ts';
import { suppressionWrite, suppressNew } from '#shared/findings/suppression/new-findings.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import { peopleOf } from '#shared/findings/triage/people.ts';
import { triage } from '#shared/findings/triage/triage.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Creation = Context & { caller: Caller; body: FindingCreate };

/** Makes the finding that a person wrote. All is checked before its asset is made. @throws validation_failed */
export async function createFinding({ connections, table, caller, body }: Creation): Promise<StoredFinding> {
  const place = await placeOf(table, body);
  const [fields, people, ref, sla] = await Promise.all([
    writtenFields(connections, body, body.severity),
    peopleOf(table, caller, body),
    refOf(table, place, body.ref),
    readSla(table),
  ]);
  const at = now();
  const [asset] = (await ensureAssets(table, [place.identity], { at, toolsOf: () => [MANUAL] })).values();
  if (!asset) throw new Error(`no asset for ${place.identity.value}`);
  await learnTraits(table, sla, [{ asset }], true);
  const [id = ''] = await table.reserve(findings, 1);
  const draft = table.stamp<StoredFinding>({
    ...fields,
    id,
    asset,
    ref,
    tool: MANUAL,
    tags: body.tags,
    engagementId: body.engagementId,
    firstSeenAt: at,
    status: 'open',
    reopenedCount: 0,
    priority: 0,
    ...dueFields(sla, { severity: body.severity, asset }, at),
    scope: '',
    fingerprint: manualFingerprint(id),
    fingerprintVersion: 1,
    ...fromAsset(sla.assets.get(asset.id)),
  });
  const { dueAt, assigneeId } = body;
  const wanted = { ...(assigneeId !== null && { assigneeId }), ...(dueAt !== undefined && { dueAt }) };
  const taken = triage(draft, wanted, { at, reason: undefined, namesStatus: false, sla, ...people });
  const next = { ...draft, ...taken };
  return write(table, { ...next, ...ratingOf(next, at) });
}

/** The suppression rules hold for it as for findings of reports. */
async function write(table: Table, finding: StoredFinding): Promise<StoredFinding> {
  const { id: findingId, asset, status: from, createdAt: at } = finding;
  return retry(async () => {
    const suppress = await suppressNew(table, await readRules(table), [asset]);
    const changes = suppress(finding);
    return table.commit((batch) => {
      if (changes) batch.write(suppressionWrite(table, { findingId, from, changes }, { at }));
      return batch.create(findings, { ...finding, ...changes });
    });
  });
}

/** The asset's identity, and its id where it is known. */
type Place = { identity: AssetIdentity; assetId?: string };

async function placeOf(table: Table, { assetId, asset }: FindingCreate): Promise<Place> {
  if ((assetId === undefined) === (asset === undefined)) throw invalid('asset', 'send either asset or assetId');
  if (asset) {
    const { type, value } = targetOf(asset, 'asset');
    if (type === 'cidr') throw invalid('asset.type', 'must be one asset: name a host of the range');
    const identity = { type, value, zone: asset.zone };
    const known = await table.findUnique(assets, { field: 'identity', value: assetKey(identity) }, true);
    return { identity, assetId: known?.id };
  }
  const known = await table.find(assets, assetId ?? '', true);
  if (!known) throw invalid('assetId', 'must be the id of an asset');
  const { type, value, zone } = known;
  return { identity: { type, value, zone }, assetId };
}

/** The default branch of a repository that was scanned: other branches have only what scans of them find. */
async function refOf(table: Table, { assetId }: Place, wanted: string | undefined): Promise<string | undefined> {
  const standard = assetId ? await table.findUnique(branches, { field: 'default', value: assetId }, true) : undefined;
  const name = standard?.name || undefined;
  if (wanted === undefined || refName(wanted) === name) return name;
  const instead = name === undefined ? 'left out: no branch of this asset is known' : `${name}, or be left out`;
  throw invalid('ref', `must be ${instead}`);
}
