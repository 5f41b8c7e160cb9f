import { fieldAt, numberAt, textAt } from '../../readers/json.ts';

type Metrics = readonly (readonly [letters: string, ...names: string[]])[];

const V3: Metrics = [
  ['AV', 'attackVector'],
  ['AC', 'attackComplexity'],
  ['PR', 'privilegesRequired'],
  ['UI', 'userInteraction'],
  ['S', 'scope'],
  ['C', 'confidentialityImpact'],
  ['I', 'integrityImpact'],
  ['A', 'availabilityImpact'],
];

/** The tool misspells two of its own names. */
const V2: Metrics = [
  ['AV', 'accessVector'],
  ['AC', 'accessComplexity'],
  ['Au', 'authenticationr', 'authenticationr>', 'authentication'],
  ['C', 'confidentialImpact', 'confidentialityImpact'],
  ['I', 'integrityImpact'],
  ['A', 'availabilityImpact'],
];

/** Schema 1 has only a score, later schemas the metrics of a vector as words, and only CVSS 4 the vector itself. */
export function ratingsOf(vulnerability: unknown) {
  const [v4, v3, v2] = [4, 3, 2].map(
    (version) => fieldAt(vulnerability, `cvssV${version}`) ?? fieldAt(vulnerability, `cvssv${version}`),
  );
  const version = textAt(v3, 'version') === '3.0' ? '3.0' : '3.1';
  return [
    {
      cvssVector: textAt(v4, 'vectorString'),
      cvssScore: numberAt(v4, 'baseScore'),
    },
    { cvssVector: vectorOf(v3, V3, `CVSS:${version}/`), cvssScore: numberAt(v3, 'baseScore') },
    { cvssVector: vectorOf(v2, V2), cvssScore: numberAt(v2, 'score') },
    { cvssScore: numberAt(vulnerability, 'cvssScore') },
  ];
}

/** A metric is written by the first letter of its word in every vector of these versions. */
function vectorOf(score: unknown, metrics: Metrics, prefix = ''): string | undefined {
  const parts = metrics.map(([letters, ...names]) => {
    const word = names.map((name) => textAt(score, name)).find((found) => found !== undefined);
    return word && `${letters}:${word.charAt(0).toUpperCase()}`;
  });
  return parts.every((part) => part !== undefined) ? prefix + parts.join('/') : undefined;
}
