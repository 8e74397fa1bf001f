import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrepareError, root, runQuietly, toolEnv } from '../../services/all/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))

/** Stryker is not of the workspace: who only starts Figbase need not wait for its 70 MB. */
export function installTool(progress) {
  const pnpm = join(root, 'node_modules/pnpm/bin/pnpm.cjs')
  const args = [pnpm, '--dir', here, '--ignore-workspace', 'install', '--frozen-lockfile']
  return progress('Installing Stryker', () =>
    runQuietly(process.execPath, args, toolEnv(process.env), {
      failed: 'Installing Stryker failed.',
    }),
  )
}

/** Stryker's report on a group. It changes copies of what the compiler made, below `scratch`. */
export async function mutate({ name, dir, mutate, tests }, scratch, progress) {
  const work = join(scratch, name.replaceAll('/', '-'))
  mkdirSync(work)
  const report = join(work, 'report.json')
  const config = {
    plugins: [join(here, 'runner.mjs')],
    testRunner: 'figbase',
    figbaseTestFiles: (await compiledFiles(dir, tests)).filter((file) => file.endsWith('.test.js')),
    mutate: (await compiledFiles(dir, mutate)).filter((file) => !file.endsWith('.test.js')),
    ignorePatterns: ['**', '!dist', '!dist/**', '!package.json', '!README.md'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 20_000,
    tempDirName: join(work, 'sandbox'),
    reporters: ['json'],
    jsonReporter: { fileName: report },
    disableTypeChecks: false,
    allowConsoleColors: false,
    warnings: { unknownOptions: false },
  }
  const file = join(work, 'stryker.json')
  writeFileSync(file, JSON.stringify(config))
  const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  await progress(`Mutating ${name}`, () => inPackage([stryker, 'run', file], dir))
  return JSON.parse(readFileSync(report, 'utf8'))
}

/** What it says is shown when it fails. */
function inPackage(args, dir) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: join(root, dir), env: toolEnv(process.env) })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
      })
    }
    child.once('error', fail).once('close', (code) => {
      if (code === 0) done()
      else fail(new PrepareError(`${said.trimEnd()}\nStryker ended with ${code}.`))
    })
  })
}

// Of each source: the compiler leaves behind what it made of one that is gone by now.
async function compiledFiles(dir, prefixes) {
  const isChosen = (name) => prefixes.some((prefix) => name.startsWith(prefix))
  const names = await readdir(join(root, dir), { recursive: true })
  return names
    .filter((name) => /^(src|test)\/.*\.ts$/.test(name) && isChosen(name))
    .map((name) => `dist/${name.replace(/\.ts$/, '.js')}`)
}
