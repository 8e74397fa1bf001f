import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrepareError, root, runQuietly, toolEnv } from '../../services/all/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))

/** Stryker (70 MB) is not part of the workspace, so that `npm start` need not install it. */
export function installTool(progress) {
  const pnpm = join(root, 'node_modules/pnpm/bin/pnpm.cjs')
  const args = [pnpm, '--dir', here, '--ignore-workspace', 'install', '--frozen-lockfile']
  return progress('Installing Stryker', () =>
    runQuietly(process.execPath, args, toolEnv(process.env), {
      failed: 'Installing Stryker failed.',
    }),
  )
}

/** Runs Stryker on a group and returns its report. It mutates copies of the compiled files in `scratch`. */
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

/** Runs Stryker; the error contains its output. */
function inPackage(args, dir) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: join(root, dir), env: toolEnv(process.env) })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', fail).once('close', (code) => {
      if (code === 0) done()
      else fail(new PrepareError(`${output.trimEnd()}\nStryker exited with ${code}.`))
    })
  })
}

// From the sources, because the compiler does not delete the output of deleted ones.
async function compiledFiles(dir, prefixes) {
  const isChosen = (name) => prefixes.some((prefix) => name.startsWith(prefix))
  const names = await readdir(join(root, dir), { recursive: true })
  return names
    .filter((name) => /^(src|test)\/.*\.ts$/.test(name) && isChosen(name))
    .map((name) => `dist/${name.replace(/\.ts$/, '.js')}`)
}
