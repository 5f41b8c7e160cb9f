import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { findOutputs } from './cloudformation.ts';
import { consoleDirectory, ensureConsole } from './console.ts';
import { cachingOf, typeOf } from './console-headers.ts';
import { CONSOLE_BUCKET } from './console-hosting.ts';
import { type Deployment, stackName } from './deployment.ts';

/** Writes the console to the bucket of a deployed stack that has one. */
export async function publishConsole(deployment: Deployment): Promise<void> {
  if (!deployment.console) return;
  const { region } = deployment;
  const { [CONSOLE_BUCKET]: Bucket } = (await findOutputs({ name: stackName(deployment), region })) ?? {};
  if (Bucket === undefined) throw new Error(`The stack ${stackName(deployment)} has no output ${CONSOLE_BUCKET}.`);
  await ensureConsole();
  const s3 = new S3Client({ region });
  for (const { file, ...object } of consoleObjects(consoleDirectory))
    await s3.send(new PutObjectCommand({ Bucket, ...object, Body: readFileSync(file) }));
  s3.destroy();
}

type ConsoleObject = { file: string; Key: string; ContentType: string; CacheControl: string };

/**
 * The files in the order in which they are written: the page is last, so that it never names a file that is missing. Files of earlier
 * releases stay for pages that are open.
 */
export function consoleObjects(directory: string): ConsoleObject[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const objects = files.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    const Key = relative(directory, file);
    return { file, Key, ContentType: typeOf(Key), CacheControl: cachingOf(`/${Key}`) };
  });
  const isPage = ({ Key }: ConsoleObject) => Key === 'index.html';
  return [...objects.filter((one) => !isPage(one)), ...objects.filter(isPage)];
}
