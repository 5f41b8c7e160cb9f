import type { Installation as Installed, Kind } from '../reference-machine/link.ts';
import type { Tool } from './tools.ts';

export const version = '1.0.0';

export type Installation = Installed & { capacity: number; tools: readonly Tool[] };

/** The description that a scanner sends when it links. */
export const scannerKind = ({ capacity, tools }: Installation): Kind => ({
  name: 'scanner',
  path: '/api/v1/scanner_communication/link',
  version,
  about: {
    capacity,
    taskTypes: [...new Set(tools.map(({ taskType }) => taskType))],
    tools: tools.map((tool) => ({ name: tool.name, formats: [tool.format] })),
  },
});
