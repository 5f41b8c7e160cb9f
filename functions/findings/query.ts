import type * as z from 'zod';
import type { Caller } from '#shared/auth/permissions.ts';
import { isOpen, OPEN_STATUSES } from '#shared/entities/finding-status.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { ListQuery } from '#shared/table/list.ts';
import { refName } from '#shared/targets/repository.ts';
import type { findingRoutes } from './routes.ts';

type Asked = z.output<typeof findingRoutes.listFindings.query> & { search?: string };

/** The list that a caller's filters ask for. One status and one severity alone are read from the list's own counts. */
export function findingQuery(asked: Asked, caller: Caller): ListQuery {
  const { paginateFrom, paginateSize, search, sort, assetId, engagementId, taskId, status, severity, ...values } =
    asked;
  const { assigneeId, dueFrom, dueTo, cve, cwe, ref, ...others } = values;
  const isSorted = sort !== undefined && sort !== 'newest';
  if (isSorted && status?.some((one) => !isOpen(one))) throw invalid('status', CLOSED);
  const where = given({
    ...others,
    asset: assetId,
    task: taskId,
    ref: ref === undefined ? undefined : refName(ref),
    status: isSorted ? (status ?? OPEN_STATUSES) : several(status),
    severity: several(severity),
    cve: cve?.toUpperCase(),
    cwe: cwe?.toUpperCase(),
    assigneeId: assigneeId === 'me' ? caller.id : assigneeId === 'none' ? null : assigneeId,
  });
  return {
    paginateFrom,
    paginateSize,
    parent: { engagement: engagementId },
    filter: { status: single(status), severity: single(severity) },
    ...(Object.keys(where).length > 0 && { where }),
    ...((dueFrom ?? dueTo) !== undefined && { between: { due: given({ from: dueFrom, to: dueTo }) } }),
    ...(search !== undefined && { search }),
    ...(isSorted && { sort: sort === 'dueAt' ? 'due' : sort }),
  };
}

const CLOSED = 'must be open or in_progress in a list sorted by priority or dueAt: these orders are of open findings';

const single = (values: readonly string[] | undefined) => (values?.length === 1 ? values[0] : undefined);
const several = (values: readonly string[] | undefined) => (values && values.length > 1 ? values : undefined);

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
