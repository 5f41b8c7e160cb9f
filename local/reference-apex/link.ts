import type { Installation as Installed, Kind } from '../reference-machine/link.ts';

export const version = '1.0.0';

export type Installation = Installed & { capacity: number };

/** The description that an appliance sends when it links. */
export const applianceKind = ({ capacity }: Installation): Kind => ({
  name: 'appliance',
  path: '/api/v1/apex_communication/link',
  version,
  about: { capacity },
});
