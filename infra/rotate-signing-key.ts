import { parseArgs } from 'node:util';
import { rotateSigningKey } from '#shared/auth/key-rotation.ts';
import { makePorts } from '#shared/open-ports.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/**
 * A new key for the access tokens of a deployed stack; the old one's tokens live out their hour:
 *
 *     npm run rotate-key -- --stack exposure-main-production
 *
 * After a leak add `--compromised`: tokens of the old key are worth nothing within five minutes and every client has
 * to get a new one.
 */
const { values } = parseArgs({ options: { ...stackOptions, compromised: { type: 'boolean' } } });
const settings = readStackSettings(values);
const ports = makePorts(settings);
const kid = await rotateSigningKey(ports, { compromised: values.compromised === true });
console.log(
  values.compromised
    ? `The key ${kid} signs from now on; tokens of earlier keys end within five minutes.`
    : `The key ${kid} is published and signs in ten minutes; the key before it stays until its tokens are over.`,
);
ports.dynamo.client.destroy();
