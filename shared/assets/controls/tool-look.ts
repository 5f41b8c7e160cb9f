import tools from './tool-look.json' with { type: 'json' };
import type { Look } from './weakness.ts';

/**
 * The tools whose completed scans count as a look at their target, by the names in their reports. A tool in no row
 * proves nothing for a control: its findings fail controls, but no finding of it does not pass one. Trivy looks for
 * more than dependencies only with options that no report names. `snyk` is the name of Snyk's products in stored looks
 * of earlier releases.
 */
const TOOLS: Record<Look, readonly string[]> = tools;

/** Undefined: a scan of the tool proves nothing to a control. */
export const lookOf = (tool: string): Look | undefined => LOOKS.get(tool.toLowerCase());

const LOOKS = new Map(Object.entries(TOOLS).flatMap(([look, names]) => names.map((name) => [name, look as Look])));
