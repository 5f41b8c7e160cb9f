import type { Severity } from '../../report/report.ts';
import services from './exposed-services.json' with { type: 'json' };

/**
 * A service that attackers look for where its port is open. A port matches if one of the signs fits. Signs are in lower
 * case, separated by commas.
 */
export type ExposedService = {
  severity: Severity;
  /** Part of the finding's title. */
  exposure: string;
  reason: string;
  remedy: string;
  /** Nmap's names of the service. */
  services?: string;
  /** Beginnings of products. */
  products?: string;
  /** For ports whose service Nmap did not identify. */
  ports?: string;
  /** The output of one of these scripts with one of these texts; without texts any output. */
  scripts?: string;
  says?: string;
  /** The risk is the missing encryption: a service within TLS does not match. */
  clearText?: true;
};

/**
 * The ratings of open ports by their service, the most severe first: the first match counts. An open port without a
 * match is information.
 */
export const exposedServices = services as readonly ExposedService[]; // a test reads its severities
