import { join } from 'node:path'
import type { InstanceDirectory } from './instance-directory.js'

export const bubblewrapPath = '/usr/bin/bwrap'
export const home = '/home/notebook'
export const socketDirectory = '/run/notebook'
export const figbaseDirectory = '/run/figbase'
/** Where `bwrap` writes which process it started. */
export const infoFd = 3

/** Files of the system that programs need; none has a secret. */
const ofSystem = ['alternatives', 'fonts', 'ssl/certs', 'ca-certificates', 'jupyter', 'ipython']
const filesOfSystem = ['ld.so.cache', 'localtime', 'mime.types', 'ssl/openssl.cnf']
export const generated = ['passwd', 'group', 'hosts'] as const

const symlinks = ['bin', 'sbin', 'lib', 'lib32', 'lib64']

const fileSystem = (directory: InstanceDirectory) => [
  ...['--ro-bind', '/usr', '/usr'],
  ...symlinks.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...['--proc', '/proc', '--dev', '/dev'],
  ...['/etc', '/home', '/run'].flatMap((path) => ['--perms', '0755', '--dir', path]),
  ...generated.flatMap((name) => ['--ro-bind', join(directory.etc, name), `/etc/${name}`]),
  ...[...ofSystem, ...filesOfSystem]
    .map((name) => `/etc/${name}`)
    .flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--bind', directory.shared, '/dev/shm'],
  ...['--bind', directory.temporary, '/tmp'],
  ...['--bind', directory.volume, home],
  ...['--bind', directory.run, socketDirectory],
  ...['--ro-bind', directory.figbase, figbaseDirectory],
  // What is left of these would be in memory that is not counted.
  ...['--remount-ro', '/dev', '--remount-ro', '/'],
]

/** The confinement. Its first process has no limits, so what runs in it must not control that one. */
const outer = (directory: InstanceDirectory) => [
  ...[bubblewrapPath, '--die-with-parent', '--info-fd', `${infoFd}`, '--hostname', 'notebook'],
  ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
  ...[...fileSystem(directory), '--chdir', '/'],
]

/** A user name space below that of the first process, so without power over it, in which no more can be made. */
const inner = [
  ...[bubblewrapPath, '--die-with-parent', '--unshare-user', '--disable-userns'],
  ...['--dev-bind', '/', '/'],
]

/** Root can bind directories that the account of the instance cannot enter, and then becomes that account. */
const become = (uid: number) => [
  ...['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
  ...['/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all'],
]

/**
 * The command in a confinement of its own: no files but those of the system (read only) and of the instance, no
 * network but its own loopback interface, no other processes, and no way to make name spaces, so no mounts.
 */
export const confinedCommand = (
  directory: InstanceDirectory,
  uid: number | undefined,
  command: string[],
): string[] => [
  ...outer(directory),
  ...(uid === undefined ? ['--unshare-user'] : become(uid)),
  ...inner,
  ...command,
]
