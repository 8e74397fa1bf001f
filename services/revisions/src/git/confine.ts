export type Confinement = {
  /** A folder of the process, under the same path. */
  folder?: string
  canWrite?: boolean
  hasNetwork?: boolean
}

const symlinks = ['bin', 'sbin', 'lib', 'lib32', 'lib64']
/** Files of the system that Git and ssh need; none has a secret. */
const ofSystem = ['ld.so.cache', 'passwd', 'ssl/certs', 'ca-certificates', 'gnutls']

/**
 * The command with no other files than those of the system, read only, and its folder; no other processes, no
 * privileges, and only if it needs it, the network.
 */
export const confinedCommand = (
  bwrap: string,
  { folder, canWrite = false, hasNetwork = false }: Confinement,
  command: string[],
): string[] => [
  ...[bwrap, '--die-with-parent', '--new-session', '--unshare-all', '--cap-drop', 'ALL'],
  ...(hasNetwork ? ['--share-net'] : []),
  ...['--ro-bind', '/usr', '/usr'],
  ...symlinks.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...ofSystem.map((name) => `/etc/${name}`).flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ...(folder ? [canWrite ? '--bind' : '--ro-bind', folder, folder, '--chdir', folder] : []),
  ...['--', ...command],
]
