import { bounded } from '../../readers/text.ts';
import type { XmlElement } from '../../readers/xml.ts';
import { LIMITS, type PortRange } from '../../report/report.ts';

/** All odd ports make half as many ranges as there are ports; more is no list that Nmap wrote. */
const MAX_RANGES = 32_768;

/** `<scaninfo protocol="tcp" services="22,80-90">`: the ports that were tried. A scan for hosts alone (-sn) has none. */
export function portsTried({ attributes: { protocol, services } }: XmlElement): PortRange[] {
  if (!protocol || !services) return [];
  const name = bounded(protocol, LIMITS.tag);
  return services
    .split(',', MAX_RANGES)
    .map((range) => /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range.trim()))
    .flatMap((range) => (range ? [{ protocol: name, from: Number(range[1]), to: Number(range[2] ?? range[1]) }] : []));
}

/** Whether the command line requests scripts: `--script`, `-sC` also among other letters (`-sVC`), `-A`. */
export const runsScripts = (args: string): boolean => /\s(?:--script[= ]|-s[A-Z]*C|-A(?!\S))/.test(args);
