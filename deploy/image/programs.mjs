// Programs of Debian that the image has if the build argument PROGRAMS names them.
import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { librariesOf } from './libraries.mjs'

/** Each program gets into /usr/local/bin, a helper and a file where Debian has it, and the shell to /bin/sh. */
const known = {
  git: {
    packages: ['git', 'util-linux', 'ca-certificates'],
    programs: ['/usr/bin/git', '/usr/bin/prlimit'],
    helpers: ['/usr/lib/git-core/git-remote-https'],
    files: ['/etc/ssl/certs/ca-certificates.crt'],
  },
  // Git runs it in a shell.
  ssh: {
    packages: ['openssh-client', 'dash'],
    programs: ['/usr/bin/ssh'],
    shell: '/usr/bin/dash',
  },
}

/** The entries of the programs in `text`, which are separated by spaces. */
export function programsIn(text) {
  return text
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => {
      const one = known[name]
      if (one) return { helpers: [], files: [], ...one }
      throw new Error(`PROGRAMS: ${name} is unknown; known: ${Object.keys(known).join(', ')}`)
    })
}

/** The paths in the image of all files that the programs need, each with its path on this machine. */
export function filesOf(wanted) {
  const helpers = wanted.flatMap((one) => one.helpers)
  const programs = wanted.flatMap((one) => one.programs)
  const shells = wanted.flatMap((one) => one.shell ?? [])
  const files = [
    ...helpers,
    ...wanted.flatMap((one) => one.files),
    ...librariesOf([...programs, ...helpers, ...shells]),
  ]
  return new Map([
    ...programs.map((path) => [`/usr/local/bin/${basename(path)}`, path]),
    ...shells.map((path) => ['/bin/sh', path]),
    ...files.map((path) => [path, path]),
  ])
}

/** The packages of Debian to which files belong, with the copyright files. */
export function packagesOf(files) {
  const found = new Map()
  for (const file of files) {
    const name = packageOf(file)
    // Some files are made when their package is installed.
    if (name === undefined || found.has(name)) continue
    const format = '--showformat=$' + '{Version}'
    const version = execFileSync('dpkg-query', ['--show', format, name], { encoding: 'utf8' })
    const [short] = name.split(':')
    found.set(name, { name: short, version, copyright: `/usr/share/doc/${short}/copyright` })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Debian lists files of /usr also without it. */
function packageOf(file) {
  const paths = new Set(
    [file, realpathSync(file)].flatMap((path) => [path, path.replace(/^\/usr/, '')]),
  )
  for (const path of paths) {
    try {
      const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
      return execFileSync('dpkg-query', ['--search', path], options).split(': ')[0]
    } catch {
      // Not under this path.
    }
  }
  return undefined
}

/** Installs the packages, unless they are there; needs root. */
export function install(wanted) {
  const missing = wanted.filter(
    ({ programs, helpers, files, shell = '/' }) =>
      ![...programs, ...helpers, ...files, shell].every((path) => existsSync(path)),
  )
  if (missing.length === 0) return
  const run = (...args) => execFileSync('apt-get', args, { stdio: 'inherit' })
  run('update')
  run('install', '--yes', '--no-install-recommends', ...missing.flatMap((one) => one.packages))
}
