import { join } from 'node:path';
import { writeReferenceFiles } from '../openapi/files.ts';
import type { Service } from '../service.ts';

/** Files that a function reads at run time, by the function's name, as they go into the directory for Lambda. */
export const extraFiles: Record<string, (home: string, service: Service) => Promise<void>> = {
  reference: (home, { areas }) => writeReferenceFiles(join(home, 'reference'), areas),
};
