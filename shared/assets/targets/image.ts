/**
 * The name of a container image without its tag and digest, which are versions of it: `registry.example/shop/api`. An image that is known by
 * a digest alone keeps that. https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests
 */
export function imageName(given: string): string {
  const value = given.trim();
  const name = value.replace(/@sha256:[0-9a-f]{64}$/i, '').replace(/:[\w][\w.-]{0,127}$/, '');
  return name === '' || name === 'sha256' ? value : name;
}
