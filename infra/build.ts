import { join } from 'node:path';
import { packFunctions } from './bundle/pack.ts';
import { repositoryRoot } from './repository.ts';
import { service } from './service.ts';

const { packed } = await packFunctions(service, join(repositoryRoot, 'dist'));
const width = Math.max(0, ...packed.map(({ name }) => name.length));
for (const { name, bytes } of packed)
  console.log(`dist/functions/${name.padEnd(width)}  ${Math.round(bytes / 1024)} KB`);
