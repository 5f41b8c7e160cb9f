import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { BreachRecord } from './breach-record.ts';
import type { CredentialFacts } from './exposed-credential.ts';

/** The share of a finding about a secret: its own status, so that a decision on the credential never counts as a word of the finding. */
export function credentialOfFinding({ secret, follows, ...finding }: StoredFinding) {
  if (!secret) return [];
  const { key, ...known } = secret;
  const facts: CredentialFacts = {
    source: 'scanner',
    ...known,
    tool: finding.tool,
    asset: finding.asset,
    status: follows?.was.status ?? finding.status,
    firstSeenAt: finding.firstSeenAt,
  };
  return [{ key, facts }];
}

/** The share of a breach record: a breached secret stays known, so the record is a place that remains. */
export function credentialOfBreach({ secret: { key, ...known }, breach, firstSeenAt }: BreachRecord) {
  const facts: CredentialFacts = { source: 'breach', ...known, tool: breach, firstSeenAt };
  return [{ key, facts }];
}
