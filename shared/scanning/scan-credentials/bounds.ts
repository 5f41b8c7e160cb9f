import { isInScope } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { WORKS_ON } from '#shared/assets/targets/targets.ts';
import type { Engagement } from '../engagements/engagement.ts';
import { FITS, type ScanCredential } from './scan-credential.ts';

/** A credential of an older release is bound to nothing. */
type Bounds = Partial<Pick<ScanCredential, 'targets' | 'zones'>>;

/**
 * Whether a credential may be used on a target without a decision: the target is within the credential's targets or in
 * one of its zones.
 */
export const isBoundTo = ({ targets = [], zones = [] }: Bounds, target: ScanTarget): boolean =>
  (target.zone !== null && zones.includes(target.zone)) || isInScope({ targets, exclusions: [] }, target);

type Use = Pick<Engagement, 'targets' | 'taskTypes'>;

/** The credentials that an engagement would release for a target to which they are not bound. */
export const beyondBounds = (credentials: readonly ScanCredential[], { targets, taskTypes }: Use): ScanCredential[] =>
  credentials.filter((credential) => {
    const types = taskTypes.filter((type) => FITS[credential.kind].includes(type));
    const used = targets.filter(({ type }) => types.some((task) => WORKS_ON[task].includes(type)));
    return used.some((target) => !isBoundTo(credential, target));
  });
