import type { Engagement } from '../entities/engagement.ts';
import { FITS, type ScanCredential } from '../entities/scan-credential.ts';
import type { ScanTarget } from '../entities/scan-target.ts';
import { isInScope } from '../targets/covers.ts';
import { WORKS_ON } from '../targets/targets.ts';

/** A credential of an older release is bound to nothing. */
type Bounds = Partial<Pick<ScanCredential, 'targets' | 'zones'>>;

/** Whether a credential may be used on a target without a decision: it lies within its targets or in one of its zones. */
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
