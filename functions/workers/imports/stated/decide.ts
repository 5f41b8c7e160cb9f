import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOpen, moveStatus, type StatusFields } from '#shared/findings/finding/finding-status.ts';
import type { StatedRow } from '#shared/findings/suppression/stated-document.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Verdict } from './verdict.ts';

type Deciding = Pick<StatedRow, 'id' | 'author' | 'isTool'>;
type Subject = StatusFields & Pick<StoredFinding, 'decidedAt'>;

/** How a finding is after a document was applied to it; `changes` where that is new. */
export type Stated = {
  outcome: 'settled' | 'released' | 'kept' | 'unproven' | 'open';
  changes?: Partial<StoredFinding>;
};

/**
 * The decision of a document on a finding: no problem, or the former status where this document, or another one of the same
 * author, decided before. A decision of a person or a suppression rule stays.
 * @returns undefined where the document does not concern the finding
 */
export function decideStated(
  { id, author, isTool }: Deciding,
  finding: Subject,
  { verdict, at }: { verdict: Verdict | undefined; at: string },
): Stated | undefined {
  const { suppressedBy: held } = finding;
  const isOwn = held?.id === id;
  const isAuthors = isOwn || (!isTool && held?.document === true && held.name === author);
  if (verdict?.kind === 'settle') {
    if (isAuthors && !isOwn) return { outcome: 'settled' };
    return isOwn || isUndecided(finding) ? settled({ id, author }, finding, { verdict, at }) : { outcome: 'kept' };
  }
  if (held && (isOwn || (verdict?.kind === 'open' && isAuthors)))
    return { outcome: 'released', changes: released(finding, held, { at, reason: `${author} no longer says so.` }) };
  return verdict && { outcome: verdict.kind };
}

/** Whether nobody has decided since the finding was found or found again. */
const isUndecided = ({ status, suppressedBy, decidedAt, reopenedAt = '' }: Subject): boolean =>
  isOpen(status) && !suppressedBy && (decidedAt === undefined || decidedAt < reopenedAt);

type Settling = { verdict: Extract<Verdict, { kind: 'settle' }>; at: string };

function settled({ id, author }: Deciding, finding: Subject, { verdict, at }: Settling): Stated {
  const reason = shortened(`${author}: ${verdict.reason}`, MAX_REASON);
  if (finding.suppressedBy && finding.statusReason === reason) return { outcome: 'settled' };
  const was = finding.suppressedBy?.was ?? finding.status;
  const suppressedBy = { id, name: author, document: true as const, was };
  return {
    outcome: 'settled',
    changes: moveStatus(finding, { to: 'false_positive', at, reason, byRule: true, suppressedBy }),
  };
}

/** Characters of `statusReason`, without the mark of a cut text. */
const MAX_REASON = 299;

type Suppression = NonNullable<Subject['suppressedBy']>;

/** The status that a finding had before a document decided. */
export const released = (
  finding: Subject,
  { was }: Suppression,
  { at, reason }: { at: string; reason: string },
): Partial<StoredFinding> => moveStatus(finding, { to: was, at, reason, byRule: true });
