import { refName } from '#shared/assets/targets/repository.ts';
import { boundOf, fitsRefs, mayReport, outOfBounds } from '#shared/findings/branches/bound.ts';
import { type StoredSubmission, type Submission, taskFiles } from '#shared/ingest/submission.ts';
import { type Bound, type Caller, mayOnlyImport } from '#shared/platform/auth/permissions.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Context } from '#shared/platform/table/context.ts';

/**
 * An import with what its sender may not do left out or refused: a key or token that may only import decides on no finding, and a bound
 * one reports on its repositories and branches only. The repository and the branch of a token need not be sent.
 * @throws insufficient_scope
 */
export function ofCaller(caller: Caller, given: Submission): Submission {
  const bound = boundOf(caller);
  const submission: Submission = mayOnlyImport(caller) ? { ...given, decides: false } : given;
  return bound ? withinBounds(bound, submission) : submission;
}

function withinBounds(bound: Bound, submission: Submission): Submission {
  const { zone, engagementId } = submission;
  const target = submission.target ?? onlyOne(bound.repositories, (value) => ({ type: 'repository' as const, value }));
  if (target?.type !== 'repository' || !bound.repositories.includes(target.value))
    throw outOfBounds(
      `This key or token reports on ${bound.repositories.join(', ')} only: send one of them as repository.`,
    );
  if (zone != null || engagementId !== undefined)
    throw outOfBounds('A key or token that is bound to repositories sends neither zone nor engagementId.');
  const ref = submission.ref ?? onlyOne(bound.refs ?? [], (name) => (name.includes('*') ? undefined : name));
  if (bound.refs && (ref === undefined || !fitsRefs(bound, ref)))
    throw outOfBounds(
      `This key or token reports on the branches ${bound.refs.join(', ')} only: send one of them as ref.`,
    );
  assertBase(bound, submission.baseRef);
  return { ...submission, target, ...(ref !== undefined && { ref }), targetOnly: true };
}

/** A pull request is not compared with a branch that its author chose: everything would be known there. */
function assertBase({ bases }: Bound, baseRef: string | undefined): void {
  if (bases === undefined || baseRef === undefined || fitsRefs({ refs: bases }, refName(baseRef))) return;
  throw outOfBounds(
    `This token compares with ${['the default branch', ...bases].join(' or ')} only: leave baseRef out, or send one of them.`,
  );
}

const onlyOne = <T>(names: readonly string[], of: (name: string) => T | undefined): T | undefined =>
  names.length === 1 && names[0] !== undefined ? of(names[0]) : undefined;

/** A bound caller asks about imports of its branches only. @throws not_found */
export async function assertMayAsk(
  { connections, table, caller }: Context & { caller: Caller },
  taskId: string,
): Promise<void> {
  if (!boundOf(caller)) return;
  const { submission } = taskFiles(table.organizationId, taskId);
  const { target, ref = '' } = (await readJson<StoredSubmission>(connections.bucket, submission)) ?? {};
  const isIts = target && mayReport(caller, { repositories: [target.value], ref });
  if (!isIts) throw notFound('import', taskId);
}
