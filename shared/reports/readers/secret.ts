import { hash } from 'node:crypto';
import type { ReportLocation, ReportSecret } from '../report/report.ts';
import { credentialKind } from './credential-kind.ts';
import type { FindingDraft } from './finding.ts';
import { maskedSecret } from './masked.ts';
import { cleanPath } from './text.ts';

/** A secret that a scanner found. No field of the finding has its clear text. */
type FoundSecret = {
  ruleId: string;
  /** Absent when the tool was configured to omit secrets. */
  secret?: string;
  /** A file, or the address of a page or message. */
  place: string;
  /** Whether the tool used the secret successfully; null: it did not try, or does not report it. */
  verified?: boolean | null;
  account?: string | undefined;
  location?: ReportLocation;
};

/**
 * The fields that follow from rule, secret and place. The same secret on another line or in another commit of the file is the
 * same problem: it is revoked once.
 */
export function secretProblem({ location = {}, ...found }: FoundSecret) {
  const { ruleId, place, verified } = found;
  const secret = reportSecret(found);
  const { text: known } = secret;
  const path = cleanPath(place);
  return {
    title: `${verified ? 'Verified secret' : 'Secret'} (${ruleId})${path ? ` in ${path}` : ''}`,
    ruleId,
    cwes: ['CWE-798'],
    location: { path: location.url ? undefined : path, ...location, snippet: secret.masked ?? undefined },
    secret,
    remediation:
      'Revoke the secret and put a new one where only its users can read it. It stays readable in the history.',
    anyLine: known !== undefined,
    identity: known === undefined ? [ruleId, path] : [ruleId, path, digestOf(known)],
  } satisfies Partial<FindingDraft>;
}

/** The secret for the record of exposed credentials. A placeholder of the tool is no text. */
export function reportSecret(found: Omit<FoundSecret, 'place' | 'location'>): ReportSecret {
  const { ruleId, secret, verified = null, account = null } = found;
  const text = secret !== undefined && !isRedacted(secret) ? secret.trim() : undefined;
  return {
    ...(text !== undefined && { text }),
    kind: credentialKind(ruleId, text),
    masked: text === undefined ? null : maskedSecret(text),
    verified,
    account: account !== null && text !== undefined && account.includes(text) ? null : account,
  };
}

const digestOf = (secret: string): string => `sha256:${hash('sha256', secret)}`;

/** Gitleaks writes `REDACTED`, or the beginning of the secret and three dots. */
const isRedacted = (secret: string): boolean => /^(?:REDACT(?:ED)?|\*+)?$|\.\.\.$/.test(secret.trim());
