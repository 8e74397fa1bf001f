import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const built = ['dist', 'gen']
const notSource = new Set([...built, 'node_modules', '.turbo'])
const tailLines = 40

/** An error with instructions for the user; printed without a stack trace. */
export class PrepareError extends Error {}

/** Installs and builds when sources changed since the last time. */
export async function prepare(progress, env = process.env) {
  refuseOldNode()
  await install(progress, env)
  await build(progress, env)
}

/** The environment for build tools: turbo finds pnpm on the path, and its telemetry is disabled. */
export function toolEnv(env) {
  return {
    ...env,
    PATH: [join(root, 'node_modules', '.bin'), env.PATH].filter(Boolean).join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
  }
}

/** Runs a command in the repository; prints its output only when it fails. */
export async function runQuietly(command, args, env, options = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const pass = (signal) => {
    child.kill(signal)
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.prependOnceListener('SIGINT', pass).prependOnceListener('SIGTERM', pass)
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject).once('close', (code, signal) => resolve(code ?? signal))
    })
    const text = Buffer.concat(output).toString()
    if (code === 0) return text
    throw new PrepareError(`${tail(text, options.lines)}\n${options.failed ?? command} (${code})`)
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass)
  }
}

/** The package directories listed in pnpm-workspace.yaml. */
export function packageDirs() {
  const yaml = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const list = /^packages:\n((?: +- .*\n)+)/m.exec(yaml)?.[1] ?? ''
  const globs = [...list.matchAll(/- ["']?([^"'\n]+)/g)].map(([, glob]) => glob)
  return globs
    .flatMap((glob) => (glob.endsWith('/*') ? below(glob.slice(0, -2)) : [glob]))
    .filter((dir) => existsSync(join(root, dir, 'package.json')))
    .sort()
}

function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wanted = engines.node.replace('>=', '').split('.').map(Number)
  const have = process.versions.node.split('.').map(Number)
  const at = wanted.findIndex((part, index) => part !== have[index])
  if (at === -1 || have[at] > wanted[at]) return
  throw new PrepareError(
    `Figbase needs Node.js ${wanted.join('.')} or newer; this is ${process.version}.`,
  )
}

async function install(progress, env) {
  const stampFile = join(root, 'node_modules', '.figbase-installed')
  const stamp = installStamp()
  if (read(stampFile) === stamp) return
  await progress('Installing packages', () =>
    runQuietly(...pnpm(), installEnv(env), {
      failed:
        'Installing the packages failed. The first start needs the network (or a filled pnpm ' +
        'store). Fix the error above, and start again.',
    }),
  )
  writeFileSync(stampFile, stamp)
}

function installStamp() {
  const manifests = ['.', ...packageDirs()].map((dir) => join(dir, 'package.json'))
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', ...manifests]) {
    hash.update(`\0${file}\0`).update(read(join(root, file)) ?? '')
  }
  return hash.digest('hex')
}

// Uses the installed pnpm when it has the right version, which needs neither npx nor the network.
function pnpm() {
  const args = [
    'install',
    '--frozen-lockfile',
    '--prod=false',
    '--config.confirmModulesPurge=false',
  ]
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const installed = JSON.parse(read(join(root, 'node_modules/pnpm/package.json')) ?? '{}')
  if (packageManager === `pnpm@${installed.version}`) {
    return [process.execPath, [join(root, 'node_modules/pnpm/bin/pnpm.cjs'), ...args]]
  }
  return ['npx', ['-y', packageManager, ...args]]
}

// The build needs the devDependencies, also when the environment asks for a production install.
function installEnv(env) {
  const skipping = /^(NODE_ENV|npm_config_(production|omit|only|include|dev))$/i
  return toolEnv(Object.fromEntries(Object.entries(env).filter(([name]) => !skipping.test(name))))
}

async function build(progress, env) {
  const stampFile = join(root, 'node_modules', '.figbase-built')
  const dirs = packageDirs()
  if (isBuilt(dirs) && read(stampFile) === buildStamp(dirs)) return
  const sources = stampOf(sourceFiles(dirs))
  const args = ['run', 'build', '--output-logs=errors-only', '--ui=stream', '--log-order=grouped']
  await progress('Building', () =>
    runQuietly(join(root, 'node_modules/.bin/turbo'), args, toolEnv({ ...env, NODE_ENV: '' }), {
      failed: 'Building failed. Fix the errors above, and start again.',
    }),
  )
  // If a source changed during the build, no stamp is written, and the next start builds again.
  if (stampOf(sourceFiles(dirs)) === sources) writeFileSync(stampFile, buildStamp(dirs))
}

const isBuilt = (dirs) => dirs.every((dir) => existsSync(join(root, dir, 'dist')))

// Running turbo takes 250 ms, this a few milliseconds. The stamp includes the outputs, because another build may have
// replaced them meanwhile.
function buildStamp(dirs) {
  const outputs = dirs.flatMap((dir) => built.flatMap((name) => filesBelow(join(dir, name))))
  return `${stampOf(sourceFiles(dirs))} ${stampOf(outputs)}`
}

function sourceFiles(dirs) {
  const shared = ['package.json', 'pnpm-lock.yaml', 'turbo.json']
  const files = dirs.flatMap((dir) => filesBelow(dir, notSource))
  return [...shared, ...files.filter((file) => !file.endsWith('.md'))]
}

function stampOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false })
    hash.update(`${file}\0${stat?.size}\0${stat?.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesBelow(dir, except = new Set()) {
  if (!existsSync(join(root, dir))) return []
  const entries = readdirSync(join(root, dir), { withFileTypes: true })
  return entries
    .filter((entry) => !except.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(dir, entry.name)
      return entry.isDirectory() ? filesBelow(path, except) : [path]
    })
}

const below = (dir) =>
  existsSync(join(root, dir)) ? readdirSync(join(root, dir)).map((name) => `${dir}/${name}`) : []

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const tail = (text, lines = tailLines) => text.trimEnd().split('\n').slice(-lines).join('\n')
