import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { readSettings } from '@figbase/kit/config'
import { findGitPrograms, findRenderers } from '@figbase/revisions'
import { findChromium, readChromiumSettings } from '@figbase/stories-ai'
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

/** Checks that the data directory is usable, and not accessible to other users. */
export async function checkDataDir({ dataDir }: Settings): Promise<Finding[]> {
  const folder = await statOf(dataDir)
  const problemText = await accessProblem(folder ? dataDir : await nearestExisting(dataDir))
  if (problemText) {
    return [
      problem(
        'FIGBASE_DATA_DIR',
        `${dataDir} cannot be used: ${problemText}`,
        'Choose another one.',
      ),
    ]
  }
  if (!folder)
    return [ok('FIGBASE_DATA_DIR', `${dataDir} does not exist; the first start creates it`)]
  const findings: Finding[] = []
  if (folder.mode & 0o066) {
    const remedy = `chmod go-rw ${dataDir}`
    findings.push(warning('FIGBASE_DATA_DIR', `other users can list ${dataDir}`, remedy))
  }
  for (const name of ['secret-key', 'admin-password', 'postgres-password']) {
    const file = join(dataDir, name)
    const found = await statOf(file)
    if (found && found.mode & 0o077) {
      findings.push(problem(name, `other users can read ${file}`, `chmod 600 ${file}`))
    }
  }
  return findings.length > 0
    ? findings
    : [ok('FIGBASE_DATA_DIR', `${dataDir} is accessible to its owner only`)]
}

/** Checks the directory for mail, unless it is in the data directory. */
export async function checkMailDir(dir: string): Promise<Finding[]> {
  const problemText = dir && (await accessProblem(await nearestExisting(resolve(dir))))
  return problemText
    ? [problem('MAIL_DIR', `cannot be used: ${problemText}`, 'Choose another one.')]
    : []
}

export async function checkDisk({ dataDir }: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestExisting(dataDir))
  const free = bavail * bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free for the data directory`
  if (free < freeBytesMin) return problem('disk', text, 'Free disk space: writes will fail soon.')
  if (free < freeBytesWarning)
    return warning('disk', text, 'Free disk space before the disk is full.')
  return ok('disk', text)
}

export function checkRenderers(path: string): Finding[] {
  const { pdf, eps, prlimit } = findRenderers(path)
  const missingProgram = (program: string, what: string, packages: string) =>
    warning(program, `not found: ${what}`, `On Debian: apt-get install ${packages}`)
  const missing = [
    ...(pdf ? [] : [missingProgram('pdftocairo', 'no thumbnails of PDF files', 'poppler-utils')]),
    ...(eps ? [] : [missingProgram('gs', 'no thumbnails of EPS files', 'ghostscript')]),
    ...(prlimit ? [] : [missingProgram('prlimit', 'no memory limit for renderers', 'util-linux')]),
  ]
  return missing.length > 0 ? missing : [ok('renderers', 'PDF and EPS can be rendered')]
}

export async function checkGit(path: string): Promise<Finding> {
  const programs = await findGitPrograms(path)
  const remedy = 'On Debian: apt-get install git openssh-client bubblewrap'
  if (!programs)
    return warning('git', 'missing or too old: no imports from Git repositories', remedy)
  if (!programs.ssh) return warning('git', 'ssh is missing: no Git repositories over SSH', remedy)
  if (!programs.bwrap) return warning('git', 'runs without bubblewrap, which does not work', remedy)
  return ok('git', 'Git repositories can be fetched')
}

/** Chromium is not started: whether its sandbox works shows when it makes a PDF. */
export function checkChromium(env: NodeJS.ProcessEnv): Finding {
  const found = findChromium(readSettings(env, readChromiumSettings))
  const remedy = 'On Debian: apt-get install chromium-headless-shell fonts-noto'
  return typeof found === 'string'
    ? warning('chromium', `no PDF exports of stories: ${found}`, remedy)
    : ok('chromium', `${found.path} makes PDFs of stories`)
}

/** Checks that the port is free, or used by this installation. */
export async function checkPort({ host, port, dataDir }: Settings): Promise<Finding> {
  const error = await bind(host, port)
  if (error && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error))) {
    return problem('HOST', `${host} is not an address of this machine`, 'Correct or unset it.')
  }
  if (!error) return ok('PORT', port === 0 ? 'any free port' : `${port} is free`)
  const url = await readFile(join(dataDir, 'url'), 'utf8').catch(() => '')
  if (codeOf(error) === 'EADDRINUSE' && url !== '') {
    return ok('PORT', `Figbase is running at ${url.trim()}`)
  }
  return problem(
    'PORT',
    `cannot listen on port ${port} of ${host}: ${error.message}`,
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

/** The path itself, or its nearest existing ancestor. */
async function nearestExisting(path: string): Promise<string> {
  const above = dirname(path)
  return above === path || (await statOf(path)) ? path : nearestExisting(above)
}

/** Why the directory is not writable; does not try to write, since `doctor` changes nothing. */
async function accessProblem(path: string): Promise<string | undefined> {
  if (!(await stat(path)).isDirectory()) return `${path} is not a directory`
  const { blocks } = await statfs(path)
  if (blocks === 0) return `${path} is on a file system without storage`
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    () => `${path} is not writable`,
  )
}

const statOf = (path: string) => stat(path).catch(() => undefined)
