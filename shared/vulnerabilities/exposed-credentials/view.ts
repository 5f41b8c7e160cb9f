import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { changeBag } from '#shared/platform/views/bag.ts';
import { type Change, type Move, sourceOf, type View, viewOf } from '#shared/platform/views/view.ts';
import { type BreachRecord, breachRecords } from './breach-record.ts';
import { type CredentialFacts, exposedCredentials, type StoredCredential } from './exposed-credential.ts';
import { foldCredential } from './fold.ts';
import { decisionsFor, keptCredential } from './kept.ts';

type Preparing = { moves: readonly Move<CredentialFacts>[]; current: readonly StoredCredential[] };

/**
 * Exposed credentials, derived from the findings of all branches and the records of breaches. @param follow brings
 * findings to the current decisions
 */
export function credentialView(follow?: View['after']): View {
  let begun = new Map<string, NonNullable<StoredCredential['decision']>>();
  return viewOf({
    name: 'credential',
    sources: [
      sourceOf(findings, credentialOfFinding),
      sourceOf(branchFindings, credentialOfFinding),
      sourceOf(breachRecords, credentialOfBreach),
    ],
    target: exposedCredentials,
    field: 'key',
    ...(follow && { after: follow }),
    async prepare(table, { moves, current }: Preparing) {
      begun = await decisionsFor(table, moves, current);
    },
    beside: (
      table,
      { before, after }: { before?: StoredCredential | undefined; after?: StoredCredential | undefined },
    ) => (before && !after ? [keptCredential(table, before)] : []),
    apply(current: StoredCredential | undefined, change: Change<CredentialFacts>) {
      const said = changeBag<CredentialFacts>(current?.said ?? [], change);
      const { key } = change;
      return said.length > 0 ? foldCredential(said, current ?? { key, decision: begun.get(key) }) : undefined;
    },
  });
}

/** The share of a finding about a secret: its own status, so that a decision on the credential never counts as a word of the finding. */
function credentialOfFinding({ secret, follows, applicationIds, assetOwnerId, ...finding }: StoredFinding) {
  if (!secret) return [];
  const { key, ...known } = secret;
  const facts: CredentialFacts = {
    source: 'scanner',
    ...known,
    tool: finding.tool,
    asset: finding.asset,
    ...given({ applicationIds, assetOwnerId }),
    status: follows?.was.status ?? finding.status,
    firstSeenAt: finding.firstSeenAt,
  };
  return [{ key, facts }];
}

/** The share of a breach record: a breached secret stays known, so the record is a place that remains. */
function credentialOfBreach({ secret: { key, ...known }, breach, firstSeenAt }: BreachRecord) {
  const facts: CredentialFacts = { source: 'breach', ...known, tool: breach, firstSeenAt };
  return [{ key, facts }];
}
