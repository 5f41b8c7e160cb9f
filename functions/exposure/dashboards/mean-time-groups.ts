import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { caseless, quoted } from '#shared/platform/runtime/texts.ts';
import type { Part } from '#shared/platform/table/entity.ts';
import { valueMark } from '#shared/platform/table/layout/marks.ts';

/** A group of records with mean times of its own. */
export type AskedGroup = {
  zone?: string | undefined;
  applicationId?: string | undefined;
  ownerId?: string | undefined;
};
type Name = keyof AskedGroup;

const GROUPS = {
  zone: { mark: (zone: string) => valueMark('zone', caseless(zone)), filter: 'asset.zone' },
  applicationId: { mark: (id: string) => valueMark('application', id), filter: 'application' },
  ownerId: { mark: (id: string) => valueMark('assetOwner', id), filter: 'asset.owner' },
};
const NAMES: readonly Name[] = ['zone', 'applicationId', 'ownerId'];

/**
 * The groups whose mean times answer a request: the one that it names, or the part of the caller if no record is in two of its
 * groups, because a sum would count this record twice.
 * @returns undefined for all records
 * @throws insufficient_scope for another group, or a part that is no sum; validation_failed for two groups
 */
export function groupsOf(part: Part | undefined, asked: AskedGroup): string[] | undefined {
  const own = { zone: part?.zones ?? [], applicationId: part?.applicationIds ?? [], ownerId: part?.teamIds ?? [] };
  const marksOf = (name: Name) => [...new Set(own[name].map(GROUPS[name].mark))];
  const named = askedOf(asked);
  if (named) {
    const mark = GROUPS[named.name].mark(named.value);
    if (part && !marksOf(named.name).includes(mark)) throw notCounted();
    return [mark];
  }
  if (!part) return undefined;
  const kinds = NAMES.filter((name) => own[name].length > 0);
  const groups = kinds.flatMap(marksOf);
  if (kinds.length > 1 || (kinds.includes('applicationId') && groups.length > 1)) throw notCounted();
  return groups;
}

/** The condition of a filter of findings or vulnerabilities that the group has; none for all records. */
export function filterOf(asked: AskedGroup): string {
  const named = askedOf(asked);
  return named ? ` ${GROUPS[named.name].filter}:${quoted(named.value)}` : '';
}

function askedOf(asked: AskedGroup): { name: Name; value: string } | undefined {
  const [first, second] = NAMES.flatMap((name) => {
    const value = asked[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (second) throw invalid(second.name, `must be left out beside ${first?.name}`);
  return first;
}

const notCounted = () =>
  new ApiError(
    'insufficient_scope',
    'Your role is for a part of the organization, and mean times are counted by zone, by application and by owner: send `zone`, ' +
      '`applicationId` or `ownerId` (a team) with one of your `scope`. Only a part of zones, of teams or of one application is open ' +
      'without, because another part may have a record twice.',
  );
