import type { Area } from '#functions/area.ts';
import { areas } from '#functions/contract.ts';
import { readSettings } from '#shared/platform/runtime/env.ts';

/**
 * An area as it runs here. The build writes the files of the reference; here they are written when someone asks for them, because
 * that takes a second and 20 MB of memory.
 */
export const localArea = (area: Area): Area =>
  area.name === 'reference' ? { ...area, load: () => loadFor(area) } : area;

async function loadFor(reference: Area) {
  const { writeReferenceFiles } = await import('#infra/openapi/files.ts');
  await writeReferenceFiles(readSettings(process.env).REFERENCE_DIR, areas);
  return reference.load();
}
