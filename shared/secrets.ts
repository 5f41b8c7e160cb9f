import { readFile } from 'node:fs/promises';
import type { Settings } from './env.ts';

/** Secrets by name: Secrets Manager, or on a developer's machine a JSON file of name -> text. */
export type Secrets = { get(name: string): Promise<string> };

const KEEP_MS = 5 * 60_000;

export function openSecrets({ SECRETS_FILE }: Settings): Secrets {
  const kept = new Map<string, { value: Promise<string>; until: number }>();
  const read = SECRETS_FILE ? (name: string) => readFromFile(SECRETS_FILE, name) : readFromManager;
  return {
    get(name) {
      const entry = kept.get(name);
      if (entry && entry.until > performance.now()) return entry.value;
      const value = read(name);
      kept.set(name, { value, until: performance.now() + KEEP_MS });
      value.catch(() => kept.delete(name));
      return value;
    },
  };
}

async function readFromFile(file: string, name: string): Promise<string> {
  const value: unknown = Reflect.get(JSON.parse(await readFile(file, 'utf8')), name);
  if (typeof value !== 'string') throw new Error(`no secret ${name}`);
  return value;
}

async function readFromManager(name: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const { SecretString } = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: name }));
  if (!SecretString) throw new Error(`the secret ${name} is empty`);
  return SecretString;
}
