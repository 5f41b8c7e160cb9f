import { orImporters, writes } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed, isStaff } from '#shared/platform/auth/permissions.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { assigned, type Engagement, engagementStates, engagements } from './engagement.ts';
import { type EngagementPart, engagementParts, partOf } from './engagement-part.ts';

/**
 * The table of the organization that owns an engagement. People of an organization reach all of its engagements. Staff
 * of the provider reach the engagements that they are assigned to, in any organization, until these end: a row in their own
 * organization names the other one, never the request.
 * @throws not_found for staff who are not (or no longer) assigned, and after the end
 */
export async function engagementOwner(table: Table, caller: Caller, engagementId: string): Promise<Table> {
  if (!isStaff(caller)) return table;
  const part = isId(engagementId)
    ? await table.findUnique(engagementParts, partOf(engagementId, caller.id), true)
    : undefined;
  const owner = part && inOrganization(table, part.organizationId);
  const engagement = await owner?.find(engagements, engagementId, true);
  if (!owner || !engagement || !isWorkOf(caller, engagement)) throw notFound(engagements.name, engagementId);
  return owner;
}

/**
 * The table in which a caller writes findings, those of an engagement if one is named. Analysts and keys write any; staff
 * and viewers only those of the engagements that they lead or work on.
 * @throws validation_failed, not_found
 */
export async function tableOfFindings(table: Table, caller: Caller, engagementId: string | undefined): Promise<Table> {
  const writesAny = isAllowed(caller, orImporters(writes('findings:write')), 'change');
  if (engagementId === undefined) {
    if (writesAny) return table;
    throw invalid(
      'engagementId',
      'must be the id of an engagement that you lead or work on: other findings need the role analyst',
    );
  }
  const owner = await engagementOwner(table, caller, engagementId);
  const engagement = await owner.find(engagements, engagementId, true);
  if (engagement && (writesAny || assigned(engagement).includes(caller.id))) return owner;
  throw invalid(
    'engagementId',
    engagement ? 'must be an engagement that you lead or work on' : 'must be the id of an engagement',
  );
}

/** The row of an assignment outlives it where the engagement was restored from a copy. */
const isWorkOf = ({ id }: Pick<Caller, 'id'>, engagement: AssignedWork): boolean =>
  !isFinal(engagementStates, engagement.status) && assigned(engagement).includes(id);

type AssignedWork = Pick<Engagement, 'status' | 'leadId' | 'memberIds'>;

/**
 * The engagements that a person requested, leads or works on, newest first, each with the table of its owner; for staff, those
 * that have not ended.
 */
export async function engagementsOf(table: Table, caller: Caller, paging: PageRange) {
  const page = await table.list(engagementParts, { ...paging, parent: { person: caller.id } });
  const found = await Promise.all([...Map.groupBy(page.data, ownerOf)].map((parts) => readEngagements(table, parts)));
  const shown = found.flat().filter(({ engagement }) => !isStaff(caller) || isWorkOf(caller, engagement));
  const byId = new Map(shown.map((one) => [one.engagement.id, one]));
  return { ...page, data: page.data.flatMap(({ engagementId }) => byId.get(engagementId) ?? []) };
}

const ownerOf = ({ organizationId }: EngagementPart): string => organizationId;

async function readEngagements(table: Table, [organizationId, parts]: [string, EngagementPart[]]) {
  const owner = inOrganization(table, organizationId);
  const ids = parts.map(({ engagementId }) => engagementId);
  return (await owner.findMany(engagements, ids)).map((engagement) => ({ owner, engagement }));
}
