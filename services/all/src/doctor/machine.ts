import { readFile, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
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

export async function checkDisk({ dataDir }: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs((await statOf(dataDir)) ? dataDir : '.')
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

const statOf = (path: string) => stat(path).catch(() => undefined)
