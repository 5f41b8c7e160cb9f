import * as z from 'zod';
import { ApexDataSource } from '#shared/apex/apex-appliance.ts';
import { Id, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { Agent } from '#shared/scanning/agents/agent.ts';
import { ScannerDataSource } from '#shared/scanning/scanners/scanner.ts';
import { IntegratorDataSource } from '#shared/soc/incidents/integrator.ts';
import { CollectorDataSource } from '#shared/soc/siem/collector.ts';

const LinkedMachine = objectNamed('LinkedMachine', {
  id: Id,
  clientId: z.string(),
  clientSecret: z.string().meta({ description: 'shown once; store it: linking again needs it and gives a fresh one' }),
  tokenUrl: z.string().meta({ description: 'the address at which both are exchanged for an access token' }),
  pollAfterSeconds: z.int().positive(),
  zone: z.string().nullable(),
  groupIds: z.array(Id),
  serverVersion: z.string(),
});

const description =
  'The body needs `linkToken` and `name`. A machine that links again also sends its `clientSecret`, with its `clientId` or ' +
  '`instanceId`: it stays the same machine, gets a new secret, and does not use the token again. An administrator may release a ' +
  'machine that lost its secret (`POST /api/v1/machines/{id}/release`); within the hour the machine can link again once without ' +
  'the secret. Any other request links a new machine and uses the token; if another machine has the same `instanceId`, the new ' +
  'machine has none. The zone and group of the token override the zone and group of the body and of the known machine. A token ' +
  'that is unknown, used up, expired, revoked or for another kind of machine is answered with 401.';

const link = <const P extends string, const B extends z.ZodType>(path: P, body: B, operation: string) =>
  post(path, {
    operation,
    summary: operation,
    description,
    access: 'public',
    body,
    example: { linkToken: 'exl_the-link-token', name: 'north-1' },
    needs: ['linkToken', 'name'],
    lenient: true,
    response: LinkedMachine,
    answersSecret: true,
  });

export const linkRoutes = defineRoutes({
  linkAgent: link('/api/v1/agent/link', Agent, 'Agent Link'),
  linkLinuxAgent: link('/api/v1/linux_agent/link', Agent, 'Linux agent link'),
  linkMacosAgent: link('/api/v1/macos_agent/link', Agent, 'macOS agent link'),
  linkWindowsAgent: link('/api/v1/windows_agent/link', Agent, 'Windows agent link'),
  linkApex: link('/api/v1/apex_communication/link', ApexDataSource, 'Apex Link'),
  linkCollector: link('/api/v1/collector_communication/link', CollectorDataSource, 'Collector Link'),
  linkIntegrator: link('/api/v1/integrator_communication/link', IntegratorDataSource, 'Integrator Link'),
  linkScanner: link('/api/v1/scanner_communication/link', ScannerDataSource, 'Scanner Link'),
});
