import { isPortLookedFor } from '../../readers/ports-looked.ts';
import type { Extent, MissingFinding } from '../../report/report.ts';

/** The rule of an open port, which the port scan itself finds. Scripts find all else on a port. */
export const OPEN_PORT_RULE = 'open-port';

/** A scan of other ports, or without scripts, finds less although nothing is gone. */
export const wasLookedFor = (extent: Extent, missing: MissingFinding): boolean =>
  (missing.ruleId === OPEN_PORT_RULE || extent.scripts === true) && isPortLookedFor(extent, missing);
