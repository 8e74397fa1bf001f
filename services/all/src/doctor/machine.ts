import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { findRenderers } from '@figbase/revisions'
import { codeOf } from '../failure.js'
import type { Settings } from '../settings.js'
import { type Finding, ok, problem, warning } from './finding.js'

const nodeMin = [20, 20] as const
const freeBytesWarning = 5 * 2 ** 30
const freeBytesMin = 2 ** 29

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin, minorMin] = nodeMin
  const isNewEnough = major > majorMin || (major === majorMin && minor >= minorMin)
  return isNewEnough
    ? ok('Node.js', `is ${version}`)
    : problem('Node.js', `is ${version}`, `Install ${majorMin}.${minorMin} or newer.`)
}

/** That nobody else reads what is in the data directory. */
export async function checkDataDir({ dataDir }: Settings): Promise<Finding[]> {
  const folder = await statOf(dataDir)
  const refusal = await refusalOf(folder ? dataDir : await lowestThere(dataDir))
  if (refusal) {
    return [problem('FIGBASE_DATA_DIR', `${dataDir} cannot be used: ${refusal}`, 'Name another.')]
  }
  if (!folder) return [ok('FIGBASE_DATA_DIR', `${dataDir} is not there; the first start makes it`)]
  const findings: Finding[] = []
  if (folder.mode & 0o066) {
    const remedy = `chmod go-rw ${dataDir}`
    findings.push(warning('FIGBASE_DATA_DIR', `others can look into ${dataDir}`, remedy))
  }
  for (const name of ['secret-key', 'admin-password', 'postgres-password']) {
    const file = join(dataDir, name)
    const found = await statOf(file)
    if (found && found.mode & 0o077) {
      findings.push(problem(name, `others can read ${file}`, `chmod 600 ${file}`))
    }
  }
  return findings.length > 0
    ? findings
    : [ok('FIGBASE_DATA_DIR', `${dataDir} is its owner's alone`)]
}

/** Where mail is written, when that is not in the data directory. */
export async function checkMailDir(dir: string): Promise<Finding[]> {
  const refusal = dir && (await refusalOf(await lowestThere(resolve(dir))))
  return refusal ? [problem('MAIL_DIR', `it cannot be used: ${refusal}`, 'Name another.')] : []
}

export async function checkDisk({ dataDir }: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(await lowestThere(dataDir))
  const free = bavail * bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB are free for the data directory`
  if (free < freeBytesMin) return problem('disk', text, 'Make room: writes fail soon.')
  if (free < freeBytesWarning) return warning('disk', text, 'Make room before it is full.')
  return ok('disk', text)
}

export function checkRenderers(path: string): Finding[] {
  const { pdf, eps, prlimit } = findRenderers(path)
  const without = (program: string, what: string, packages: string) =>
    warning(program, `is not there: ${what}`, `On Debian: apt-get install ${packages}`)
  const missing = [
    ...(pdf ? [] : [without('pdftocairo', 'PDF has no thumbnails', 'poppler-utils')]),
    ...(eps ? [] : [without('gs', 'EPS has no thumbnails', 'ghostscript')]),
    ...(prlimit ? [] : [without('prlimit', 'what draws has no limit of memory', 'util-linux')]),
  ]
  return missing.length > 0 ? missing : [ok('renderers', 'PDF and EPS can be drawn')]
}

/** That the port can be had, unless this very installation has it. */
export async function checkPort({ host, port, dataDir }: Settings): Promise<Finding> {
  const error = await bind(host, port)
  if (error && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error))) {
    return problem(
      'HOST',
      `${host} is not an address of this machine`,
      'Leave it out, or correct it.',
    )
  }
  if (!error) return ok('PORT', port === 0 ? 'any that is free' : `${port} is free`)
  const url = await readFile(join(dataDir, 'url'), 'utf8').catch(() => '')
  if (codeOf(error) === 'EADDRINUSE' && url !== '') {
    return ok('PORT', `Figbase runs, at ${url.trim()}`)
  }
  return problem(
    'PORT',
    `${port} on ${host} cannot be had: ${error.message}`,
    'Choose another one.',
  )
}

function bind(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

/** The directory itself, or the lowest above it that is there. */
async function lowestThere(path: string): Promise<string> {
  const above = dirname(path)
  return above === path || (await statOf(path)) ? path : lowestThere(above)
}

/** Why nothing can be made in there; nothing is tried, because `doctor` changes nothing. */
async function refusalOf(path: string): Promise<string | undefined> {
  if (!(await stat(path)).isDirectory()) return `${path} is not a directory`
  const { blocks } = await statfs(path)
  if (blocks === 0) return `${path} is of a file system that keeps no files`
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    () => `${path} is not writable`,
  )
}

const statOf = (path: string) => stat(path).catch(() => undefined)
