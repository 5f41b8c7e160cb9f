import { ApiError } from '#shared/platform/runtime/errors.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Part } from '#shared/platform/table/entity.ts';
import type { AssetGroup } from './counted.ts';

/**
 * The group that a caller with a part asks about: one of the zones or applications of the part, because each has counters of its
 * own. Where the part has only one, a request need not name it.
 * @throws insufficient_scope for any other group
 */
export function groupInPart(part: Part | undefined, group: AssetGroup): AssetGroup {
  if (!part) return group;
  const { zones = [], applicationIds = [], teamIds = [] } = part;
  const { zone, applicationId } = group;
  if (zone !== undefined && zones.some((one) => caseless(one) === caseless(zone))) return group;
  if (applicationId !== undefined && applicationIds.includes(applicationId)) return group;
  const [only] = [...zones.map((name) => ({ zone: name })), ...applicationIds.map((id) => ({ applicationId: id }))];
  const isOne = zones.length + applicationIds.length === 1 && teamIds.length === 0;
  if (only && isOne && zone === undefined && applicationId === undefined) return { ...group, ...only };
  throw new ApiError(
    'insufficient_scope',
    'Your role is for a part of the organization, and controls are counted by zone and by application: send `zone` or ' +
      '`applicationId` with one of your `scope`.',
  );
}
