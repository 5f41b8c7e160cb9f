import { advisoryAreas } from './advisories/areas.ts';
import { apexAreas } from './apex/areas.ts';
import type { Area, Areas } from './area.ts';
import { assetAreas } from './assets/areas.ts';
import { billingAreas } from './billing/areas.ts';
import { codeAreas } from './code/areas.ts';
import { credentialAreas } from './credentials/areas.ts';
import { eventAreas } from './events/areas.ts';
import { exposureAreas } from './exposure/areas.ts';
import { findingAreas } from './findings/areas.ts';
import { ingestAreas } from './ingest/areas.ts';
import { peopleAreas } from './people/areas.ts';
import { platformAreas } from './platform/areas.ts';
import { reportingAreas } from './reporting/areas.ts';
import { scanningAreas } from './scanning/areas.ts';
import { socAreas } from './soc/areas.ts';
import { ticketingAreas } from './ticketing/areas.ts';
import { vulnerabilityAreas } from './vulnerabilities/areas.ts';

/** The wings of the service: folders of `functions/` and `shared/` by subject, each with its areas. */
const wings = {
  platform: platformAreas,
  credentials: credentialAreas,
  people: peopleAreas,
  ingest: ingestAreas,
  assets: assetAreas,
  scanning: scanningAreas,
  findings: findingAreas,
  vulnerabilities: vulnerabilityAreas,
  advisories: advisoryAreas,
  exposure: exposureAreas,
  code: codeAreas,
  soc: socAreas,
  ticketing: ticketingAreas,
  billing: billingAreas,
  apex: apexAreas,
  events: eventAreas,
  reporting: reportingAreas,
};

/** An area with the wing of its folder: `functions/<wing>/<name>/`. */
export type PlacedArea = Area & { wing: string };

/** Every area of the service. The gateway, the local server, the API reference and the tests are made from this list. */
export const areas: readonly PlacedArea[] = Object.entries(wings).flatMap(([wing, listed]) =>
  Object.entries<Areas[string]>(listed).map(([name, area]) => ({ ...area, name, wing })),
);

/** The routes of all areas with their exact types, for the typed client of the tests. */
export type DeclaredRoutes = RoutesOf<(typeof wings)[keyof typeof wings]>;
type RoutesOf<W> = W extends Areas ? W[keyof W]['routes'] : never;
