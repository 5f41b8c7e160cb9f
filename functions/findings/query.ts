import type * as z from 'zod';
import type { Caller } from '#shared/auth/permissions.ts';
import type { ListQuery } from '#shared/table/list.ts';
import type { findingRoutes } from './routes.ts';

type Asked = z.output<typeof findingRoutes.listFindings.query> & { search?: string };

/** The list that a caller's filters ask for. One status and one severity alone are read from the list's own counts. */
export function findingQuery(asked: Asked, caller: Caller): ListQuery {
  const { paginateFrom, paginateSize, search, assetId, engagementId, status, severity, ...values } = asked;
  const { assigneeId, dueMonth, cve, cwe, ...others } = values;
  const where = given({
    ...others,
    status: several(status),
    severity: several(severity),
    cve: cve?.toUpperCase(),
    cwe: cwe?.toUpperCase(),
    due: dueMonth,
    assigneeId: assigneeId === 'me' ? caller.id : assigneeId === 'none' ? null : assigneeId,
  });
  return {
    paginateFrom,
    paginateSize,
    parent: { asset: assetId, engagement: engagementId },
    filter: { status: single(status), severity: single(severity) },
    ...(Object.keys(where).length > 0 && { where }),
    ...(search !== undefined && { search }),
  };
}

const single = (values: readonly string[] | undefined) => (values?.length === 1 ? values[0] : undefined);
const several = (values: readonly string[] | undefined) => (values && values.length > 1 ? values : undefined);

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
