import { settled } from '../settled.ts';
import { finished, type System, send, startImport, startSystem } from './client.ts';
import { benchReport } from './report.ts';

/** Measures a system that has imported so many findings and is quiet again. */
export async function withFindings<T>(count: number, measure: (system: System) => Promise<T>): Promise<T> {
  const system = await startSystem();
  try {
    const { id } = await startImport(system, benchReport(count));
    await finished(system, id);
    await settled(system, performance.now());
    return await measure(system);
  } finally {
    await system.stop();
  }
}

/** The use of a request and of its task, from the request to the end of the task. */
export async function useOfTask(system: System, path: string, body: object) {
  await system.measure();
  const started = performance.now();
  const { taskId, resource } = await send(system, 'POST', path, body);
  await finished(system, String(taskId));
  const seconds = (performance.now() - started) / 1000;
  return { taskId: String(taskId), resource, seconds, ...(await system.measure()) };
}
