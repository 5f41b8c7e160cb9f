/** The image that Grype was given, in its JSON and its SARIF: without the word for where it came from. */
export const withoutScheme = (given: string): string => given.replace(SCHEME, '');

const SCHEME = /^(?:docker|podman|containerd|registry|docker-archive|oci-archive|oci-dir|oci-model|singularity):(?!\d)/;
